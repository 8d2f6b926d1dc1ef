import { Service, type Tenant } from '../support/service';
import { accept, because, cancel, go, keep, type Step, walk } from './walk';

type Value = string | number | boolean | null;

describe('Numbers by an attribute of the customers', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow({ offer_ids: [(await acme.offer()).id] });
  });

  let customers = 0;
  const begin = (attributes: Record<string, Value> | undefined, ...steps: Step[]) =>
    walk(service, { slug: flow.slug, customer: { id: `cus_${customers++}`, attributes } }, ...steps);
  const read = (query: string) => acme.client.get(`/api/v1/public/flows/${flow.id}/stats${query}`);
  const by = async (name: string, more = '') => (await read(`?by=${encodeURIComponent(name)}${more}`)).body.by;

  const NONE = {
    sessions: { total: 0, in_progress: 0, saved: 0, canceled: 0, contacted: 0, abandoned: 0 },
    customers: { total: 0, in_progress: 0, saved: 0, saved_by_offer: 0, canceled: 0, abandoned: 0 },
    rates: { saved: null, saved_by_offer: null, canceled: null },
  };

  it('are those of its sessions, the most frequent value first, and of sessions without it', async () => {
    await begin({ plan: 'pro' }, go, because('other'), accept);
    await begin({ plan: 'pro' }, cancel);
    await begin({ plan: 'pro', seats: 3 });
    await begin({ plan: 'team' }, keep);
    await begin({ seats: 3 }, cancel);
    await begin(undefined, keep);
    await walk(service, flow, keep);
    expect(await by('plan')).toEqual({
      attribute: 'plan',
      values: [
        {
          value: 'pro',
          sessions: { total: 3, in_progress: 1, saved: 1, canceled: 1, contacted: 0, abandoned: 0 },
          customers: { total: 3, in_progress: 1, saved: 1, saved_by_offer: 1, canceled: 1, abandoned: 0 },
          rates: { saved: 1 / 3, saved_by_offer: 1 / 3, canceled: 1 / 3 },
        },
        {
          value: 'team',
          sessions: { total: 1, in_progress: 0, saved: 1, canceled: 0, contacted: 0, abandoned: 0 },
          customers: { total: 1, in_progress: 0, saved: 1, saved_by_offer: 0, canceled: 0, abandoned: 0 },
          rates: { saved: 1, saved_by_offer: 0, canceled: 0 },
        },
      ],
      other: NONE,
      none: {
        sessions: { total: 3, in_progress: 0, saved: 2, canceled: 1, contacted: 0, abandoned: 0 },
        customers: { total: 3, in_progress: 0, saved: 2, saved_by_offer: 0, canceled: 1, abandoned: 0 },
        rates: { saved: 2 / 3, saved_by_offer: 0, canceled: 1 / 3 },
      },
    });
    await service.letPass('24 hours', acme);
    const { values } = await by('plan');
    expect(values[0].sessions).toEqual({ total: 3, in_progress: 0, saved: 1, canceled: 1, contacted: 0, abandoned: 1 });
  });

  it('count a customer once, by what they decided last, in each value that they had', async () => {
    const ada = (plan: string) => ({ slug: flow.slug, customer: { id: 'ada', attributes: { plan } } });
    await walk(service, ada('pro'), keep);
    await walk(service, ada('pro'), cancel);
    await walk(service, ada('team'), keep);
    expect(await by('plan')).toMatchObject({
      values: [
        {
          value: 'pro',
          sessions: { total: 2 },
          customers: { total: 1, saved: 0, canceled: 1 },
          rates: { canceled: 1 },
        },
        { value: 'team', sessions: { total: 1 }, customers: { total: 1, saved: 1, canceled: 0 }, rates: { saved: 1 } },
      ],
    });
  });

  it('tell texts, numbers, booleans and null apart, and a value from none', async () => {
    const values: Value[] = ['1', 1, 'true', true, 'null', null, '', 1.5];
    for (const value of values) await begin({ seats: value });
    await begin({ seats: 1.0 });
    await begin({});
    const numbers = await by('seats');
    expect(numbers.values[0]).toMatchObject({ value: 1, sessions: { total: 2 } });
    const counted = numbers.values.map(({ value }: { value: Value }) => value);
    expect(new Set(counted)).toEqual(new Set(values));
    expect(counted).toHaveLength(values.length);
    expect(numbers.none.sessions.total).toBe(1);
  });

  it('are told of the 50 most frequent values; the others are added up', async () => {
    for (let n = 0; n < 52; n++) await begin({ city: `city ${n}` }, n === 0 ? keep : cancel);
    for (let n = 2; n < 52; n++) await begin({ city: `city ${n}` });
    const { values, other, none } = await by('city');
    expect(values).toHaveLength(50);
    const named = values.map(({ value }: { value: Value }) => value);
    expect(named).not.toContain('city 0');
    expect(named).not.toContain('city 1');
    expect(other).toEqual({
      sessions: { total: 2, in_progress: 0, saved: 1, canceled: 1, contacted: 0, abandoned: 0 },
      customers: { total: 2, in_progress: 0, saved: 1, saved_by_offer: 0, canceled: 1, abandoned: 0 },
      rates: { saved: 1 / 2, saved_by_offer: 0, canceled: 1 / 2 },
    });
    expect(none).toEqual(NONE);
  });

  it('take any name for an attribute, whatever its characters', async () => {
    const names = ["o'clock", 'größe', '$5', 'a.b', '{a,b}'];
    for (const name of names) {
      await begin({ [name]: 'yes' });
      expect(await by(name)).toMatchObject({ attribute: name, values: [{ value: 'yes', sessions: { total: 1 } }] });
    }
    expect(await by('nobody has it')).toMatchObject({ values: [], none: { sessions: { total: names.length } } });
  });

  it('are of the span, of the flow, and of the workspace', async () => {
    await service.begunAt('2026-05-01T12:00:00Z', await begin({ plan: 'old' }, keep));
    await begin({ plan: 'new' }, keep);
    const elsewhere = {
      slug: (await acme.publishedFlow()).slug,
      customer: { id: 'ada', attributes: { plan: 'else' } },
    };
    await walk(service, elsewhere, keep);
    expect(await by('plan')).toMatchObject({ values: [{ value: 'new', sessions: { total: 1 } }] });
    expect((await by('plan', '&from=2026-05-01&to=2026-05-02')).values).toMatchObject([{ value: 'old' }]);
  });

  it('are forgotten with the customer: an erased one has no attributes', async () => {
    await walk(service, { slug: flow.slug, customer: { id: 'ada', attributes: { plan: 'pro' } } }, keep);
    await acme.client.delete('/api/v1/public/customers/ada');
    expect(await by('plan')).toMatchObject({ values: [], none: { sessions: { total: 1, saved: 1 } } });
  });

  it('are refused by a name that can be none, or by two, and null unless asked for', async () => {
    expect((await read('')).body.by).toBeNull();
    for (const query of ['?by=', '?by=%20', `?by=${'x'.repeat(201)}`, '?by=plan&by=seats', '?by[]=plan', '?by=%00']) {
      expect([query, (await read(query)).status]).toEqual([query, 400]);
    }
    expect((await read('?by=plan&by=seats')).body.errors).toMatchObject([{ parameter: 'by' }]);
    expect((await acme.client.get('/api/v1/public/stats?by=plan')).status).toBe(400);
  });
});
