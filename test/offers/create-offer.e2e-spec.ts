import { OFFER_TYPES } from '../../src/offers/terms/types';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { FULL_OFFER, UNKNOWN_ID } from './full-offer';

const OFFERS = '/api/v1/public/offers';
const REQUIRED = { name: 'Half price', offer_type: 'discount_percentage' };

/** Characters outside the Basic Multilingual Plane: one code point each, two units of UTF-16, four bytes of UTF-8. */
const emoji = (count: number): string => '💸'.repeat(count);

describe('POST /api/v1/public/offers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const read = async (id: string) => (await acme.client.get(`${OFFERS}/${id}`)).body;
  const idsOf = (offers: { id: string }[]) => offers.map(({ id }) => id);
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer).toSorted();

  async function expectNothingStored(): Promise<void> {
    for (const status of ['active', 'archived']) {
      expect((await acme.client.get(`${OFFERS}?status=${status}`)).body.offers).toEqual([]);
    }
  }

  it('creates an offer, returns its id and name, and stores every text unchanged', async () => {
    const { status, body } = await acme.client.post(OFFERS, FULL_OFFER);
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), name: '30 % off' });
    expect(await read(body.id)).toMatchObject(FULL_OFFER);
  });

  it('needs only name and offer_type, and fills in defaults', async () => {
    const { id } = (await acme.client.post(OFFERS, REQUIRED)).body;
    expect(await read(id)).toMatchObject({
      ...REQUIRED,
      offer_value: '',
      offer_duration: '',
      heading: 'Half price',
      body: '',
      cta_accept: 'Accept offer',
      cta_decline: 'No thanks',
      accept_url: null,
      metadata: {},
      limit: null,
      translations: {},
      outcome: 'saved',
      kind: null,
      data: null,
      status: 'active',
    });
  });

  it.each(OFFER_TYPES)('accepts the offer_type %s', async (offer_type) => {
    const { status, body } = await acme.client.post(OFFERS, { name: 'A', offer_type });
    expect(status).toBe(201);
    expect((await read(body.id)).offer_type).toBe(offer_type);
  });

  it.each(['  spaces around  ', 'Größe, 価格, ثمن', `'; DROP TABLE offers; --`, '<b>&amp;</b>', '\\ " {x}'])(
    'stores the text %j unchanged',
    async (text) => {
      const { id } = await acme.offer({ name: text, body: text });
      expect(await read(id)).toMatchObject({ name: text, heading: text, body: text });
    },
  );

  it('stores letters with accents in one form (NFC), however they were typed', async () => {
    const { id } = await acme.offer({ name: 'Cafe\u0301', body: 'Cafe\u0301' });
    expect(await read(id)).toMatchObject({ name: 'Caf\u00e9', heading: 'Caf\u00e9', body: 'Caf\u00e9' });
  });

  it.each([
    ['name', 200],
    ['offer_value', 200],
    ['offer_duration', 200],
    ['heading', 200],
    ['body', 5000],
    ['cta_accept', 200],
    ['cta_decline', 200],
  ])('accepts a %s of up to %i characters, counted as code points', async (field, max) => {
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

  it.each(['offer_value', 'offer_duration', 'body'])('accepts an empty %s', async (field) => {
    const { id } = await acme.offer({ [field]: '' });
    expect((await read(id))[field]).toBe('');
  });

  it.each(
    Object.keys(FULL_OFFER).filter(
      (field) =>
        !['accept_url', 'metadata', 'limit', 'image', 'points', 'kind', 'data', 'available', 'when'].includes(field),
    ),
  )('refuses a %s that is not text', async (field) => {
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

  it('refuses one more than the limit of a workspace, also when two processes are asked at once, and counts archived ones', async () => {
    const processes: Service[] = [];
    for (let n = 0; n < 2; n++) processes.push(await Service.start({ MAX_OFFERS_PER_WORKSPACE: '5' }));
    const tenant = await service.workspace();
    const create = (one: Service) => one.client.with(tenant.key).post(OFFERS, { name: 'A', offer_type: 'custom' });
    const { body } = await create(processes[0]);
    await tenant.client.delete(`${OFFERS}/${body.id}`);
    const answers = await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspace_codes WHERE workspace_id = $1 FOR UPDATE', [tenant.id]);
      const sent = Array.from({ length: 8 }, (_, n) => create(processes[n % 2]));
      await untilBlocking(client, 2);
      await client.query('COMMIT');
      return Promise.all(sent);
    });
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 201, 201, 409, 409, 409, 409,
    ]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'offer_limit_reached',
      detail: 'The workspace has 5 offers, archived ones included, the most it may have.',
    });
    await Promise.all(processes.map((one) => one.stop()));
  });

  it.each([
    ['before anything was counted', 'NULL'],
    ['without counting, once in a hundred creations', '99'],
  ])('counts offers that an older version created %s', async (_, counted) => {
    const limited = await Service.start({ MAX_OFFERS_PER_WORKSPACE: '101' });
    const tenant = await limited.workspace();
    const create = () => tenant.client.post(OFFERS, { name: 'A', offer_type: 'custom' });
    const { id } = (await create()).body;
    await limited.database.query(
      `INSERT INTO offers SELECT copy.* FROM offers, generate_series(1, 100) AS n,
        jsonb_populate_record(offers, jsonb_build_object('id', gen_random_uuid(), 'n', n)) AS copy WHERE offers.id = $1`,
      [id],
    );
    await limited.database.query(`UPDATE workspace_codes SET offers = ${counted} WHERE workspace_id = $1`, [tenant.id]);
    expect((await create()).body.code).toBe('offer_limit_reached');
    await limited.stop();
  });

  it('names all missing, wrong and unknown fields in one response, and stores nothing', async () => {
    const { status, body } = await acme.client.post(OFFERS, {
      offer_type: 'other',
      heading: '',
      body: 7,
      colour: 'red',
      id: UNKNOWN_ID,
      workspace_id: UNKNOWN_ID,
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
