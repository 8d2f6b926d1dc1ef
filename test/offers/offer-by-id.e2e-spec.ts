import { serviceForAll, workspaceForEach } from '../support/service';
import { FULL_OFFER, UNKNOWN_ID } from './full-offer';

const OFFERS = '/api/v1/public/offers';

/** Characters outside the Basic Multilingual Plane: one code point each, two units of UTF-16, four bytes of UTF-8. */
const emoji = (count: number): string => '💸'.repeat(count);

const OPEN = { outcome: 'open', kind: 'call', data: { minutes: 30 } };

describe('An offer by its id', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const read = async (id: string) => (await acme.client.get(`${OFFERS}/${id}`)).body;
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer).toSorted();

  describe('GET /api/v1/public/offers/:id', () => {
    it('shows every field of the offer', async () => {
      const { id } = await acme.offer(FULL_OFFER);
      const { status, body } = await acme.client.get(`${OFFERS}/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id,
        key: null,
        ...FULL_OFFER,
        terms: null,
        translations: {},
        status: 'active',
        current_version: 1,
        created_at: expect.any(String),
        updated_at: body.created_at,
      });
    });

    it('accepts the id in upper case', async () => {
      const { id } = await acme.offer();
      expect((await read(id.toUpperCase())).id).toBe(id);
    });

    it.each([
      ['no offer has', UNKNOWN_ID],
      ['is all zeros', '00000000-0000-0000-0000-000000000000'],
      ['is not a UUID', 'nonsense'],
      ['is almost a UUID', `${UNKNOWN_ID}0`],
      ['is in braces', `{${UNKNOWN_ID}}`],
      ['is a NUL character', '\0'],
      ['is SQL', "1'; DROP TABLE offers; --"],
      ['has more than a hundred characters', 'x'.repeat(101)],
    ])('is 404 for an id that %s, also with PUT and DELETE', async (_, id) => {
      const path = `${OFFERS}/${encodeURIComponent(id)}`;
      expect((await acme.client.get(path)).status).toBe(404);
      expect((await acme.client.put(path, { name: 'B' })).status).toBe(404);
      expect((await acme.client.delete(path)).status).toBe(404);
    });
  });

  describe('PUT /api/v1/public/offers/:id', () => {
    it.each(Object.entries({ ...FULL_OFFER, offer_value: '', offer_duration: '', body: '', accept_url: null }))(
      'changes only %s (to %j)',
      async (field, value) => {
        await acme.client.put('/api/v1/public/workspace', { image_hosts: ['cdn.acme.example'] });
        const { id } = await acme.offer({
          ...FULL_OFFER,
          name: 'Before',
          offer_type: 'custom',
          heading: 'Before',
          accepted_title: '',
          accepted_body: '',
          metadata: {},
          limit: null,
          image: { url: 'https://cdn.acme.example/a.png', alt: 'A map' },
          points: [],
          available: null,
          when: null,
          // Another type takes none of these.
          ...(field in OPEN && OPEN),
        });
        await acme.client.put(`${OFFERS}/${id}`, { offer_value: '1', offer_duration: '1', body: '1' });
        await acme.client.put(`${OFFERS}/${id}`, { cta_accept: '1', cta_decline: '1' });
        await service.letPass('1 day', acme);
        const before = await read(id);
        const { status, body } = await acme.client.put(`${OFFERS}/${id}`, { [field]: value });
        expect(status).toBe(200);
        expect(body).toEqual({ updated: true, id });
        expect(before[field]).not.toBe(value);
        const after = await read(id);
        const current_version = before.current_version + 1;
        expect(after).toEqual({ ...before, [field]: value, current_version, updated_at: after.updated_at });
        expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      },
    );

    it('changes all fields at once', async () => {
      const { id } = await acme.offer();
      await acme.client.put(`${OFFERS}/${id}`, FULL_OFFER);
      expect(await read(id)).toMatchObject(FULL_OFFER);
    });

    it('loses no change when several requests come at once', async () => {
      const { id } = await acme.offer();
      const responses = await Promise.all(
        Object.entries(FULL_OFFER).map(([field, value]) => acme.client.put(`${OFFERS}/${id}`, { [field]: value })),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      expect(await read(id)).toMatchObject(FULL_OFFER);
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
      [{ id: UNKNOWN_ID }, '/id'],
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
    it('archives an offer that is older than a rule which it breaks', async () => {
      const { id } = await acme.offer({ ...FULL_OFFER, offer_type: 'trial_extension' });
      await service.database.query(`UPDATE offers SET terms = '{"months": 1}' WHERE id = $1`, [id]);
      expect((await acme.client.put(`${OFFERS}/${id}`, { name: 'Other' })).status).toBe(400);
      expect((await acme.client.delete(`${OFFERS}/${id}`)).status).toBe(200);
      expect((await read(id)).status).toBe('archived');
    });

    it('archives the offer, and is idempotent', async () => {
      const { id } = await acme.offer();
      for (let n = 0; n < 2; n++) {
        const { status, body } = await acme.client.delete(`${OFFERS}/${id}`);
        expect(status).toBe(200);
        expect(body).toEqual({ archived: true, id });
        expect((await read(id)).status).toBe('archived');
      }
    });

    it('leaves other offers alone', async () => {
      const [gone, other] = [await acme.offer(), await acme.offer()];
      await acme.client.delete(`${OFFERS}/${gone.id}`);
      expect((await read(other.id)).status).toBe('active');
    });
  });
});
