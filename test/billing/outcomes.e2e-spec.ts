import { Service, type Tenant } from '../support/service';

const OUTCOMES = '/api/v1/public/outcomes';

describe('An outcome', () => {
  let service: Service;
  let other: Service;
  let acme: Tenant;

  beforeAll(async () => {
    [service, other] = await Promise.all([Service.start(), Service.start()]);
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const payment = {
    id: 'in_1',
    customer_id: 'cus_1',
    type: 'paid',
    at: '2026-05-01T10:00:00Z',
    amount: 4990,
    currency: 'EUR',
  };
  const report = (body: object, client = acme.client) => client.post(OUTCOMES, body);
  const rows = ({ id } = acme) => service.database.query('SELECT * FROM outcomes WHERE workspace_id = $1', [id]);

  it('is stored once, however often it is reported: 201, then 200', async () => {
    const stored = { id: 'in_1', type: 'paid', at: '2026-05-01T10:00:00.000Z', amount: 4990, currency: 'EUR' };
    const first = await report(payment);
    expect([first.status, first.body]).toEqual([201, stored]);
    const same = { ...payment, at: '2026-05-01T12:00:00+02:00', currency: 'eur' };
    for (const body of [payment, same, Object.fromEntries(Object.entries(payment).toReversed())]) {
      const again = await report(body, other.client.with(acme.key));
      expect([again.status, again.body]).toEqual([200, stored]);
    }
    expect(await rows()).toHaveLength(1);
  });

  it('needs no amount', async () => {
    const canceled = { id: 'evt_1', customer_id: 'cus_1', type: 'canceled', at: '2026-05-01T10:00:00Z' };
    const { status, body } = await report(canceled);
    expect([status, body]).toMatchObject([201, { type: 'canceled', amount: null, currency: null }]);
    expect((await report(canceled)).status).toBe(200);
  });

  it('is stored once when two processes report it at the same time', async () => {
    const sent = Array.from({ length: 32 }, (_, n) => report(payment, (n % 2 ? service : other).client.with(acme.key)));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(31);
    expect(await rows()).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another customer', { customer_id: 'cus_2' }],
    ['another type', { type: 'canceled' }],
    ['another time', { at: '2026-05-01T10:00:01Z' }],
    ['another amount', { amount: 4991 }],
    ['another currency', { currency: 'USD' }],
    ['no amount', { amount: undefined, currency: undefined }],
  ])('is 409 with the id of one with %s, which stays as it is', async (_, changes) => {
    await report(payment);
    const before = await rows();
    const { status, body } = await report({ ...payment, ...changes });
    expect([status, body.code]).toEqual([409, 'outcome_id_reused']);
    expect(await rows()).toEqual(before);
  });

  it.each<[string, object, string]>([
    ['without an id', { id: undefined }, '/id'],
    ['with a blank id', { id: ' ' }, '/id'],
    ['with an id of 201 characters', { id: 'x'.repeat(201) }, '/id'],
    ['without a customer', { customer_id: undefined }, '/customer_id'],
    ['of a customer who could not be erased', { customer_id: '..' }, '/customer_id'],
    ['of an unknown type', { type: 'refunded' }, '/type'],
    ['without a time', { at: undefined }, '/at'],
    ['at no time', { at: '2026-02-30T10:00:00Z' }, '/at'],
    ['in the far future', { at: '2999-01-01T00:00:00Z' }, '/at'],
    ['with a negative amount', { amount: -1 }, '/amount'],
    ['with half a cent', { amount: 0.5 }, '/amount'],
    ['with an amount that is text', { amount: '4990' }, '/amount'],
    ['with an amount that is null', { amount: null }, '/amount'],
    ['with an amount of a trillion', { amount: 1e12 }, '/amount'],
    ['in a currency that is none', { currency: 'EUX' }, '/currency'],
    ['in a currency that is a name', { currency: 'euros' }, '/currency'],
    ['with an amount in no currency', { currency: undefined }, '/currency'],
    ['in a currency without an amount', { amount: undefined }, '/amount'],
    ['of a session', { session_id: 'x' }, '/session_id'],
  ])('is refused %s, and nothing is stored', async (_, changes, pointer) => {
    const { status, body } = await report({ ...payment, ...changes });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(await rows()).toEqual([]);
  });

  it('may have happened long ago, or a moment ahead of the clock of the service', async () => {
    const soon = new Date(Date.now() + 10 * 60_000).toISOString();
    for (const [index, at] of ['1999-12-31T23:59:59.999Z', soon].entries()) {
      expect((await report({ ...payment, id: `in_${index}`, at })).status).toBe(201);
      expect((await report({ ...payment, id: `in_${index}`, at })).status).toBe(200);
    }
  });

  it('belongs to its workspace: the same id elsewhere is another outcome', async () => {
    const initech = await service.workspace();
    expect((await report(payment)).status).toBe(201);
    expect((await report({ ...payment, amount: 1 }, initech.client)).status).toBe(201);
    expect(await rows()).toMatchObject([{ amount: '4990' }]);
    expect(await rows(initech)).toMatchObject([{ amount: '1' }]);
    await initech.client.delete('/api/v1/public/customers/cus_1');
    expect(await rows()).toMatchObject([{ id: 'in_1', customer_id: 'cus_1' }]);
  });

  it('needs a key that may write', async () => {
    const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
    expect((await report(payment, service.client.with(body.key))).body.code).toBe('insufficient_scope');
    expect(await rows()).toEqual([]);
  });

  it('says nothing of a customer who was erased, with however many', async () => {
    // Postgres expects one row of the workspace then, and would look for the batch again for each row.
    await report(payment, (await service.workspace()).client);
    await service.database.query('ANALYZE outcomes');
    await service.database.query(
      `INSERT INTO outcomes (workspace_id, id, customer_id, type, at, created_at)
        SELECT $1, 'cus_1 ' || n, 'cus_1', 'paid', now(), now() FROM generate_series(1, 2500) AS n`,
      [acme.id],
    );
    await report({ ...payment, id: 'in_2', customer_id: 'cus_2' });
    const { body } = await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(body).toEqual({ erased: true, sessions: 0 });
    expect(JSON.stringify(await rows())).not.toContain('cus_1');
    const people = new Set((await rows()).map((row: { erased_customer: string }) => row.erased_customer));
    expect(people.size).toBe(2);
    expect(await rows()).toHaveLength(2501);
  });
});
