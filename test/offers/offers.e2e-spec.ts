import { Service, Tenant } from '../support/service';

const OFFERS = '/api/v1/public/offers';
const UNKNOWN = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';
const REQUIRED = { name: 'Half price', offer_type: 'discount_percentage' };
const ALL = {
  name: '30 % off',
  offer_type: 'discount_fixed',
  offer_value: '30 €',
  offer_duration: '3 months',
  heading: 'Stay for less',
  body: 'Keep everything.\nPay less.',
  cta_accept: 'Take it',
  cta_decline: 'No',
};

/** Characters outside the Basic Multilingual Plane: one code point each, two units of UTF-16, four bytes of UTF-8. */
const emoji = (count: number): string => '💸'.repeat(count);

describe('Offers', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const read = async (id: string) => (await acme.client.get(`${OFFERS}/${id}`)).body;
  const idsOf = (offers: { id: string }[]) => offers.map(({ id }) => id);
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer).toSorted();

  async function expectNothingStored(): Promise<void> {
    for (const status of ['active', 'archived']) {
      expect((await acme.client.get(`${OFFERS}?status=${status}`)).body.offers).toEqual([]);
    }
  }

  describe('POST /api/v1/public/offers', () => {
    it('creates an offer of all its fields, answers id and name, and keeps every text as it was sent', async () => {
      const { status, body } = await acme.client.post(OFFERS, ALL);
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: '30 % off' });
      expect(await read(body.id)).toMatchObject(ALL);
    });

    it('needs only name and offer_type and fills in the rest', async () => {
      const { id } = (await acme.client.post(OFFERS, REQUIRED)).body;
      expect(await read(id)).toMatchObject({
        ...REQUIRED,
        offer_value: '',
        offer_duration: '',
        heading: 'Half price',
        body: '',
        cta_accept: 'Accept offer',
        cta_decline: 'No thanks',
        status: 'active',
      });
    });

    it.each(['discount_percentage', 'discount_fixed', 'pause_subscription', 'trial_extension', 'custom'])(
      'takes the offer_type %s',
      async (offer_type) => {
        const { status, body } = await acme.client.post(OFFERS, { name: 'A', offer_type });
        expect(status).toBe(201);
        expect((await read(body.id)).offer_type).toBe(offer_type);
      },
    );

    it.each([
      '  spaces around  ',
      'Größe, 価格, ثمن, e\u0301',
      `'; DROP TABLE offers; --`,
      '<b>&amp;</b>',
      '\\ " {{x}}',
    ])('keeps the text %j as it is', async (text) => {
      const { id } = await acme.offer({ name: text, body: text });
      expect(await read(id)).toMatchObject({ name: text, heading: text, body: text });
    });

    it.each([
      ['name', 200],
      ['offer_value', 200],
      ['offer_duration', 200],
      ['heading', 200],
      ['body', 5000],
      ['cta_accept', 200],
      ['cta_decline', 200],
    ])('takes a %s of %i characters, counted as code points, and none more', async (field, max) => {
      const long = await acme.client.post(OFFERS, { ...REQUIRED, [field]: emoji(max) });
      expect(long.status).toBe(201);
      expect((await read(long.body.id))[field]).toBe(emoji(max));
      const { status, body } = await acme.client.post(OFFERS, { ...REQUIRED, [field]: emoji(max + 1) });
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([`/${field}`]);
      expect(idsOf((await acme.client.get(OFFERS)).body.offers)).toEqual([long.body.id]);
    });

    it.each(['name', 'heading', 'cta_accept', 'cta_decline'])('refuses a blank %s', async (field) => {
      for (const blank of ['', ' ', '\t\r\n', '\u00a0\u3000']) {
        const { status, body } = await acme.client.post(OFFERS, { ...REQUIRED, [field]: blank });
        expect(status).toBe(400);
        expect(pointersOf(body.errors)).toEqual([`/${field}`]);
      }
      await expectNothingStored();
    });

    it.each(['offer_value', 'offer_duration', 'body'])('takes an empty %s', async (field) => {
      const { id } = await acme.offer({ [field]: '' });
      expect((await read(id))[field]).toBe('');
    });

    it.each(Object.keys(ALL))('refuses a %s that is no text', async (field) => {
      for (const value of [null, 1, true, ['custom'], { text: 'custom' }]) {
        const { status, body } = await acme.client.post(OFFERS, { ...REQUIRED, [field]: value });
        expect([value, status]).toEqual([value, 400]);
        expect(pointersOf(body.errors)).toEqual([`/${field}`]);
      }
      await expectNothingStored();
    });

    it.each(['', 'Custom', 'custom ', 'discount', 'toString', 'free_beer'])(
      'refuses the offer_type %j',
      async (offer_type) => {
        const { status, body } = await acme.client.post(OFFERS, { name: 'A', offer_type });
        expect(status).toBe(400);
        expect(pointersOf(body.errors)).toEqual(['/offer_type']);
        await expectNothingStored();
      },
    );

    it('names everything that is missing, wrong or unknown at once, and stores nothing', async () => {
      const { status, body } = await acme.client.post(OFFERS, {
        offer_type: 'other',
        heading: '',
        body: 7,
        colour: 'red',
        id: UNKNOWN,
        workspace_id: UNKNOWN,
      });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(pointersOf(body.errors)).toEqual([
        '/body',
        '/colour',
        '/heading',
        '/id',
        '/name',
        '/offer_type',
        '/workspace_id',
      ]);
      await expectNothingStored();
    });
  });

  describe('GET /api/v1/public/offers', () => {
    it('answers items with exactly the keys of the interface', async () => {
      const { body } = await acme.client.post(OFFERS, ALL);
      const { status, body: list } = await acme.client.get(OFFERS);
      expect(status).toBe(200);
      const { body: _, ...shown } = ALL;
      expect(list).toEqual({ offers: [{ id: body.id, ...shown }], next_cursor: null });
    });

    it('answers an empty list for a workspace without offers', async () => {
      expect((await acme.client.get(OFFERS)).body).toEqual({ offers: [], next_cursor: null });
    });

    it('lists newest first; archived offers leave, and ?status=archived shows them', async () => {
      const [first, second, third, fourth] = [
        await acme.offer(),
        await acme.offer(),
        await acme.offer(),
        await acme.offer(),
      ];
      for (const { id } of [second, fourth]) await acme.client.delete(`${OFFERS}/${id}`);
      await acme.client.put(`${OFFERS}/${first.id}`, { name: 'An edit moves nothing' });
      expect(idsOf((await acme.client.get(OFFERS)).body.offers)).toEqual([third.id, first.id]);
      expect(idsOf((await acme.client.get(`${OFFERS}?status=active`)).body.offers)).toEqual([third.id, first.id]);
      expect(idsOf((await acme.client.get(`${OFFERS}?status=archived`)).body.offers)).toEqual([fourth.id, second.id]);
    });

    it('pages through all offers once, whatever is edited or created meanwhile', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 7; n++) ids.unshift((await acme.offer({ name: `Offer ${n}` })).id);
      const pages: string[][] = [];
      for (let cursor: string | null = ''; cursor !== null && pages.length < 10;) {
        const { body } = await acme.client.get(`${OFFERS}?limit=3${cursor && `&cursor=${cursor}`}`);
        pages.push(idsOf(body.offers));
        cursor = body.next_cursor;
        await acme.client.put(`${OFFERS}/${ids[6]}`, { body: `edit ${pages.length}` });
        await acme.offer({ name: 'Created meanwhile' });
      }
      expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
    });

    it('has no next page when the last one is full', async () => {
      for (let n = 0; n < 4; n++) await acme.offer();
      const { body } = await acme.client.get(`${OFFERS}?limit=2`);
      const last = (await acme.client.get(`${OFFERS}?limit=2&cursor=${body.next_cursor}`)).body;
      expect([last.offers.length, last.next_cursor]).toEqual([2, null]);
    });

    it('answers 100 unless more are asked for, and up to 500', async () => {
      await service.database.query(
        `INSERT INTO offers
           SELECT (jsonb_populate_record(offer, jsonb_build_object('id', gen_random_uuid()))).*
           FROM offers offer, generate_series(1, 500) WHERE offer.id = $1`,
        [(await acme.offer()).id],
      );
      const { offers, next_cursor } = (await acme.client.get(OFFERS)).body;
      expect([offers.length, typeof next_cursor]).toEqual([100, 'string']);
      expect((await acme.client.get(`${OFFERS}?limit=500`)).body.offers).toHaveLength(500);
    });

    it.each([
      'limit=0',
      'limit=501',
      'limit=-1',
      'limit=x',
      'limit=1.5',
      'limit=1e2',
      'limit=',
      'limit=1&limit=2',
      'status=draft',
      'status=',
      'status=active&status=archived',
      'cursor=',
      'cursor=broken',
      `cursor=${UNKNOWN}`,
      'page=2',
    ])('refuses ?%s and names the parameter', async (query) => {
      const { status, body } = await acme.client.get(`${OFFERS}?${query}`);
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([`/${query.split('=')[0]}`]);
    });
  });

  describe('GET /api/v1/public/offers/:id', () => {
    it('answers every field of the offer', async () => {
      const { id } = await acme.offer(ALL);
      const { status, body } = await acme.client.get(`${OFFERS}/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id,
        ...ALL,
        status: 'active',
        created_at: expect.any(String),
        updated_at: body.created_at,
      });
    });

    it('takes the id in upper case too', async () => {
      const { id } = await acme.offer();
      expect((await read(id.toUpperCase())).id).toBe(id);
    });

    it.each([
      ['nobody has', UNKNOWN],
      ['is all zeros', '00000000-0000-0000-0000-000000000000'],
      ['is no UUID', 'nonsense'],
      ['is almost a UUID', `${UNKNOWN}0`],
      ['is in braces', `{${UNKNOWN}}`],
      ['is a NUL character', '\0'],
      ['is SQL', "1'; DROP TABLE offers; --"],
      ['has more than a hundred characters', 'x'.repeat(101)],
    ])('answers 404 for an id that %s', async (_, id) => {
      const path = `${OFFERS}/${encodeURIComponent(id)}`;
      expect((await acme.client.get(path)).status).toBe(404);
      expect((await acme.client.put(path, { name: 'B' })).status).toBe(404);
      expect((await acme.client.delete(path)).status).toBe(404);
    });
  });

  describe('PUT /api/v1/public/offers/:id', () => {
    it.each(Object.entries({ ...ALL, offer_value: '', offer_duration: '', body: '' }))(
      'changes %s alone (to %j)',
      async (field, value) => {
        const { id } = await acme.offer({ ...ALL, name: 'Before', offer_type: 'custom', heading: 'Before' });
        await acme.client.put(`${OFFERS}/${id}`, { offer_value: '1', offer_duration: '1', body: '1' });
        await acme.client.put(`${OFFERS}/${id}`, { cta_accept: '1', cta_decline: '1' });
        await service.letPass('1 day', acme);
        const before = await read(id);
        const { status, body } = await acme.client.put(`${OFFERS}/${id}`, { [field]: value });
        expect(status).toBe(200);
        expect(body).toEqual({ updated: true, id });
        expect(before[field]).not.toBe(value);
        const after = await read(id);
        expect(after).toEqual({ ...before, [field]: value, updated_at: after.updated_at });
        expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      },
    );

    it('changes all fields at once', async () => {
      const { id } = await acme.offer();
      await acme.client.put(`${OFFERS}/${id}`, ALL);
      expect(await read(id)).toMatchObject(ALL);
    });

    it('loses none of several changes at once', async () => {
      const { id } = await acme.offer();
      const answers = await Promise.all(
        Object.entries(ALL).map(([field, value]) => acme.client.put(`${OFFERS}/${id}`, { [field]: value })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await read(id)).toMatchObject(ALL);
    });

    it.each([
      [{}, ''],
      [{ name: null }, '/name'],
      [{ offer_value: null }, '/offer_value'],
      [{ body: null, name: 'After' }, '/body'],
      [{ heading: '' }, '/heading'],
      [{ cta_accept: ' ' }, '/cta_accept'],
      [{ offer_type: 'other' }, '/offer_type'],
      [{ name: 1 }, '/name'],
      [{ name: emoji(201) }, '/name'],
      [{ name: 'After', colour: 'red' }, '/colour'],
      [{ id: UNKNOWN }, '/id'],
    ])('refuses %j, points to %j and changes nothing', async (changes, pointer) => {
      const { id } = await acme.offer();
      const before = await read(id);
      const { status, body } = await acme.client.put(`${OFFERS}/${id}`, changes);
      expect(status).toBe(400);
      expect(pointersOf(body.errors)).toEqual([pointer]);
      expect(await read(id)).toEqual(before);
    });

    it.each([[[]], [[{ name: 'After' }]], ['text'], [1], [null], [true]])(
      'refuses the body %j and changes nothing',
      async (changes) => {
        const { id } = await acme.offer();
        const before = await read(id);
        expect((await acme.client.put(`${OFFERS}/${id}`, changes)).status).toBe(400);
        expect(await read(id)).toEqual(before);
      },
    );
  });

  describe('DELETE /api/v1/public/offers/:id', () => {
    it('archives the offer, and again', async () => {
      const { id } = await acme.offer();
      for (let n = 0; n < 2; n++) {
        const { status, body } = await acme.client.delete(`${OFFERS}/${id}`);
        expect(status).toBe(200);
        expect(body).toEqual({ archived: true, id });
        expect((await read(id)).status).toBe('archived');
      }
    });

    it('archives that offer alone', async () => {
      const [gone, other] = [await acme.offer(), await acme.offer()];
      await acme.client.delete(`${OFFERS}/${gone.id}`);
      expect((await read(other.id)).status).toBe('active');
    });

    it('takes content-type: application/json without a body, as many clients send it', async () => {
      const { id } = await acme.offer();
      const { status, body } = await acme.client.delete(`${OFFERS}/${id}`, { 'content-type': 'application/json' });
      expect(status).toBe(200);
      expect(body).toEqual({ archived: true, id });
    });
  });
});
