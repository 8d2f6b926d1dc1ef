import { randomUUID } from 'node:crypto';
import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const FLOWS = '/api/v1/public/flows';

describe('What a subscription is worth', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };
  let key: SigningKey;

  beforeEach(async () => {
    flow = await acme.publishedFlow({ estimated_monthly_value: 29.9 });
    key = await secretKey(acme.client);
  });

  const monthly = { id: 'sub_1', amount: 4990, currency: 'EUR', interval: 'month' };
  const init = (body: object, headers?: Record<string, string>) =>
    service.client.post(INIT, { flow_slug: flow.slug, ...body }, headers);
  const start = (subscription: unknown) => init({ customer: { id: 'cus_1', subscription } });
  const startSigned = (subscription: unknown) =>
    init({ customer_token: tokenOf(key, {}, claimsFor(acme, { sub: 'cus_1', subscription })) });
  const record = async (started: Promise<{ status: number; body: { session_id: string } }>) => {
    const { status, body } = await started;
    expect(status).toBe(201);
    const { subscription, estimated_monthly_value } = (
      await acme.client.get(`/api/v1/public/sessions/${body.session_id}`)
    ).body;
    return { subscription, estimated_monthly_value };
  };

  it('is kept with the session as an amount for a month, verified if a token told it', async () => {
    const worth = { id: 'sub_1', monthly_amount: 4990, currency: 'EUR' };
    expect(await record(start(monthly))).toEqual({
      subscription: { ...worth, verified: false },
      estimated_monthly_value: null,
    });
    expect(await record(startSigned(monthly))).toEqual({
      subscription: { ...worth, verified: true },
      estimated_monthly_value: null,
    });
  });

  it.each([
    ['year', 12_000, 1000],
    ['year', 100, 8],
    ['year', 99_999, 8333],
    ['year', 6, 1],
    ['year', 5, 0],
    ['year', 999_999_999_999, 83_333_333_333],
    ['quarter', 9000, 3000],
    ['quarter', 100, 33],
    ['week', 1200, 5200],
    ['week', 999, 4329],
    ['week', 999_999_999_999, 999_999_999_999],
  ])(
    'is the part of a month, rounded to the nearest unit: by the %s, %i → %i',
    async (interval, amount, monthly_amount) => {
      expect(await record(start({ amount, currency: 'usd', interval }))).toMatchObject({
        subscription: { id: null, monthly_amount, currency: 'USD' },
      });
    },
  );

  it('is else estimated as the flow says at that moment, whatever it says later', async () => {
    const estimated = { subscription: null, estimated_monthly_value: 29.9 };
    const { session_id } = (await init({})).body;
    expect(await record(start(undefined))).toEqual(estimated);
    await acme.client.put(`${FLOWS}/${flow.id}`, { estimated_monthly_value: 100 });
    expect((await acme.client.get(`/api/v1/public/sessions/${session_id}`)).body).toMatchObject(estimated);
    expect(await record(start(undefined))).toEqual({ subscription: null, estimated_monthly_value: 100 });
    await acme.client.put(`${FLOWS}/${flow.id}`, { estimated_monthly_value: null });
    expect(await record(start(undefined))).toEqual({ subscription: null, estimated_monthly_value: null });
  });

  it('may be left out of a token that names the subscription', async () => {
    expect(await record(startSigned({ id: 'sub_1', product: 'pro' }))).toEqual({
      subscription: { id: 'sub_1', monthly_amount: null, currency: null, verified: false },
      estimated_monthly_value: 29.9,
    });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'sub_1', ''],
    ['a list', [monthly], ''],
    ['null', null, ''],
    ['the id alone', { id: 'sub_1' }, '/amount'],
    ['without an amount', { ...monthly, amount: undefined }, '/amount'],
    ['of half a cent', { ...monthly, amount: 0.5 }, '/amount'],
    ['negative', { ...monthly, amount: -1 }, '/amount'],
    ['a trillion', { ...monthly, amount: 1e12 }, '/amount'],
    ['without a currency', { ...monthly, currency: undefined }, '/currency'],
    ['in a currency that is none', { ...monthly, currency: 'XQX' }, '/currency'],
    ['without an interval', { ...monthly, interval: undefined }, '/interval'],
    ['by the day', { ...monthly, interval: 'day' }, '/interval'],
    ['of a blank id', { ...monthly, id: '' }, '/id'],
    ['with a price', { ...monthly, price: 'pro' }, '/price'],
  ])('is refused if it is %s', async (_, subscription, pointer) => {
    const { status, body } = await start(subscription);
    expect([status, body.errors[0].pointer]).toEqual([400, `/customer/subscription${pointer}`]);
    expect((await acme.usage()).sessions_used).toBe(0);
  });

  const named = { id: 'sub_1', monthly_amount: null, currency: null, verified: false };

  it.each<[string, unknown, object | null, string]>([
    ['text', 'sub_1', null, ''],
    ['null', null, null, ''],
    ['empty', {}, null, '/id'],
    ['of an id that is no text', { id: 1 }, null, '/id'],
    ['without an interval', { ...monthly, interval: undefined }, named, '/interval'],
    ['in a currency that is none', { ...monthly, currency: 'XQX' }, named, '/currency'],
    ['of half a cent', { ...monthly, amount: 0.5 }, named, '/amount'],
  ])('is left out of a token that says it is %s, but for its id', async (_, subscription, kept, pointer) => {
    const started = await startSigned(subscription);
    expect(await record(Promise.resolve(started))).toEqual({ subscription: kept, estimated_monthly_value: 29.9 });
    expect(started.body.warnings[0].pointer).toBe(`/subscription${pointer}`);
  });

  it('is a part of what an Idempotency-Key stands for', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const customer = (subscription?: object) => ({ customer: { id: 'cus_1', subscription } });
    const first = await init(customer(monthly), headers);
    const reordered = Object.fromEntries(Object.entries(monthly).toReversed());
    expect((await init(customer(reordered), headers)).body).toEqual(first.body);
    for (const other of [undefined, { ...monthly, amount: 4991 }, { ...monthly, id: 'sub_2' }]) {
      expect((await init(customer(other), headers)).body.code).toBe('idempotency_key_reused');
    }
  });

  it('stays when the customer is erased, without the id of the subscription', async () => {
    const { body } = await startSigned(monthly);
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect((await acme.client.get(`/api/v1/public/sessions/${body.session_id}`)).body).toMatchObject({
      customer_id: null,
      subscription: { id: null, monthly_amount: 4990, currency: 'EUR', verified: true },
    });
  });
});
