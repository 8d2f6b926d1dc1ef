import { claimsFor, secretKey, type SigningKey, tokenOf } from '../support/customer-token';
import { Service, type Tenant } from '../support/service';

const PUBLIC = '/api/v1/public';
const RUNTIME = '/api/v1/runtime/session';

interface Worth {
  amount: number;
  currency: string;
  interval: string;
}
const eur = (amount: number): Worth => ({ amount, currency: 'EUR', interval: 'month' });

/** Wilson's interval of 4 in 4: `scipy.stats.binomtest(4, 4).proportion_ci(0.95, method='wilson')`. */
const ALL_OF_FOUR = [expect.closeTo(0.5101, 4), 1];

describe('Money in statistics', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };
  let key: SigningKey;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow({ estimated_monthly_value: 29.9 });
    key = await secretKey(acme.client);
  });

  async function visit(id: string, action?: string, subscription?: Worth, { signed = false, of = flow } = {}) {
    const customer = signed
      ? { customer_token: tokenOf(key, {}, claimsFor(acme, { sub: id, subscription })) }
      : { customer: { id, subscription } };
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: of.slug, ...customer });
    if (action) await service.client.post(`${RUNTIME}/${body.session_id}/step`, { action });
  }
  const stats = async (query = '', path = `/flows/${flow.id}`) =>
    (await acme.client.get(`${PUBLIC}${path}/stats${query}`)).body;
  const report = (id: string, customer_id: string, type: string, paid: object = {}) =>
    acme.client.post(`${PUBLIC}/outcomes`, { id, customer_id, type, at: new Date().toISOString(), ...paid });

  it('is counted by currency, apart by whether it is verified, and estimates by themselves', async () => {
    await visit('ada', 'keep', eur(1000));
    await visit('bob', 'cancel', eur(200));
    await visit('cleo', undefined, eur(30));
    await visit('dan', 'keep', eur(5000), { signed: true });
    await visit('eve', 'cancel', { amount: 12_000, currency: 'usd', interval: 'year' });
    await visit('fay', 'keep');
    await visit('gus', 'cancel');
    const value = [
      {
        currency: 'EUR',
        verified: false,
        customers: 3,
        at_risk: 1230,
        saved: 1000,
        canceled: 200,
        net: 1000,
        paid_since: 0,
      },
      {
        currency: 'EUR',
        verified: true,
        customers: 1,
        at_risk: 5000,
        saved: 5000,
        canceled: 0,
        net: 5000,
        paid_since: 0,
      },
      {
        currency: 'USD',
        verified: false,
        customers: 1,
        at_risk: 1000,
        saved: 0,
        canceled: 1000,
        net: 0,
        paid_since: 0,
      },
      {
        currency: null,
        verified: false,
        customers: 2,
        at_risk: 59.8,
        saved: 29.9,
        canceled: 29.9,
        net: 29.9,
        paid_since: null,
      },
    ];
    expect(await stats()).toMatchObject({ value, estimated_monthly_value_retained: 29.9 });
    expect(await stats('', '')).toMatchObject({ value, estimated_monthly_value_retained: 29.9 });
  });

  it('counts each customer once, over all flows, with what they were worth when they decided last', async () => {
    const other = await acme.publishedFlow({ estimated_monthly_value: 100 });
    await visit('ada', 'keep', eur(1000));
    await visit('ada', 'cancel', eur(2000), { of: other });
    await visit('ada', undefined, eur(4000));
    const row = { currency: 'EUR', verified: false, customers: 1, paid_since: 0 };
    expect((await stats('', '')).value).toEqual([{ ...row, at_risk: 2000, saved: 0, canceled: 2000, net: 0 }]);
    expect((await stats()).value).toEqual([{ ...row, at_risk: 1000, saved: 1000, canceled: 0, net: 1000 }]);
  });

  it('is what it was: a later estimate changes nothing before it', async () => {
    await visit('ada', 'keep');
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { estimated_monthly_value: 1000 });
    expect((await stats()).estimated_monthly_value_retained).toBe(29.9);
    await visit('bob', 'keep');
    expect((await stats()).estimated_monthly_value_retained).toBe(1029.9);
  });

  it('has what saved customers paid since, in the currency that they paid in', async () => {
    await report('before', 'ada', 'paid', { amount: 1, currency: 'EUR' });
    await visit('ada', 'keep', eur(1000));
    await visit('bob', 'cancel', eur(1000));
    await visit('cleo', 'keep');
    for (const [index, customer] of ['ada', 'ada', 'bob', 'cleo', 'somebody'].entries()) {
      await report(`in_${index}`, customer, 'paid', { amount: 500, currency: 'EUR' });
    }
    await report('in_usd', 'ada', 'paid', { amount: 7, currency: 'USD' });
    await report('in_none', 'ada', 'paid');
    const nothing = { customers: 0, at_risk: 0, saved: 0, canceled: 0, net: 0 };
    expect((await stats()).value).toEqual([
      {
        currency: 'EUR',
        verified: false,
        customers: 2,
        at_risk: 2000,
        saved: 1000,
        canceled: 1000,
        net: 1000,
        paid_since: 1500,
      },
      { currency: 'USD', verified: false, ...nothing, paid_since: 7 },
      {
        currency: null,
        verified: false,
        customers: 1,
        at_risk: 29.9,
        saved: 29.9,
        canceled: 0,
        net: 29.9,
        paid_since: null,
      },
    ]);
  });

  it('says whether saves last: who canceled later, in any flow or by a report, is not there any more', async () => {
    const other = await acme.publishedFlow();
    for (const customer of ['ada', 'bob', 'cleo', 'dan']) await visit(customer, 'keep');
    await report('early', 'ada', 'canceled', { at: '2026-01-01T00:00:00Z' });
    await service.letPass('61 days', acme);
    await visit('bob', 'cancel', undefined, { of: other });
    await report('evt_1', 'cleo', 'canceled');
    await report('in_1', 'dan', 'paid');
    await visit('eve', 'keep');
    const from = `?from=${new Date(Date.now() - 70 * 24 * 3_600_000).toISOString()}`;
    const lasting = [
      // They canceled after 61 days: of those saved, all stayed 60.
      { days: 30, customers: 4, still_there: 2, rate: 0.5, stay: 1, interval: ALL_OF_FOUR, at_risk: 4 },
      { days: 60, customers: 4, still_there: 2, rate: 0.5, stay: 1, interval: ALL_OF_FOUR, at_risk: 4 },
      { days: 90, customers: 0, still_there: 0, rate: null, stay: null, interval: null, at_risk: 0 },
      { days: 180, customers: 0, still_there: 0, rate: null, stay: null, interval: null, at_risk: 0 },
    ];
    expect((await stats(from)).lasting).toEqual(lasting);
    expect((await stats(from, '')).flows.at(-1).lasting).toEqual(lasting);
    expect((await stats(from, '')).lasting).toEqual(lasting);
    await acme.client.delete(`${PUBLIC}/customers/cleo`);
    expect((await stats(from)).lasting).toEqual(lasting);
  });

  it('says that the save of one who canceled in the same flow later did not last', async () => {
    await visit('ada', 'keep');
    await visit('bob', 'keep');
    await service.letPass('50 days', acme);
    await visit('ada', 'cancel');
    await visit('bob', 'keep');
    await service.letPass('41 days', acme);
    const from = `?from=${new Date(Date.now() - 100 * 24 * 3_600_000).toISOString()}`;
    // One left after 50 days; the other was saved again 41 days ago.
    expect((await stats(from)).lasting).toMatchObject([
      { days: 30, customers: 2, still_there: 1, rate: 0.5, stay: 1, at_risk: 2 },
      { days: 60, customers: 2, still_there: 1, rate: 0.5, stay: null, at_risk: 0 },
      { days: 90, customers: 2, still_there: 1, rate: 0.5, stay: null, at_risk: 0 },
      { days: 180, customers: 0, stay: null },
    ]);
  });
});
