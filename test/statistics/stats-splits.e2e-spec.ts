import type { SplitArm } from '../../src/flows/graph/flow-definition';
import { intervalOf } from '../../src/statistics/experiments/experiment';
import { renameSessions, Service, type Tenant } from '../support/service';
import { because } from './walk';

const SESSION = '/api/v1/runtime/session';

type Outcome = 'accept' | 'keep' | 'cancel' | 'open' | 'abandoned';

/** What a test saw of a session: whose it was, how it went on from the split, and how it ended. */
interface Seen {
  customer: string | undefined;
  arm: string;
  outcome: Outcome;
}

/** How many standard errors wide intervals are on the first day. */
const NOT_YET = 8;

describe('The numbers of an experiment', () => {
  let service: Service;
  let acme: Tenant;
  let offer: { id: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    offer = await acme.offer();
  });

  const arms = (weight: number, discount = 'discount'): SplitArm[] => [
    { name: 'discount', weight, next: discount },
    { name: 'nothing', weight: 100 - weight, next: 'sure' },
    { name: 'never', weight: 0, next: 'sure' },
  ];

  /** A survey whose first option leads to the split, and the other past it. The nodes tell the arms apart. */
  const definition = (split: SplitArm[], title = 'Why?') => ({
    entry: 'reason',
    nodes: [
      {
        key: 'reason',
        type: 'survey',
        config: {
          title,
          options: [
            { value: 'price', label: 'Price', next: 'test' },
            { value: 'moving', label: 'Moving' },
          ],
        },
        next: 'bye',
      },
      { key: 'test', type: 'split', config: { ways: split } },
      { key: 'discount', type: 'offer', config: { offer_id: offer.id }, next: 'sure' },
      { key: 'second', type: 'offer', config: { offer_id: offer.id }, next: 'discount' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
      { key: 'bye', type: 'confirm', config: { title: 'Bye?' } },
    ].filter(({ key }) => key !== 'second' || split.some(({ next }) => next === 'second')),
  });
  const publish = (split: SplitArm[]) => acme.publishedFlow({ flow_mode: 'advanced', definition: definition(split) });
  const change = async (flow: { id: string }, split: SplitArm[], title?: string) =>
    expect(
      (await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: definition(split, title) })).status,
    ).toBe(200);

  let customers = 0;
  /** Somebody comes to the split, and ends so wherever it leads. */
  async function visit(
    flow: { slug: string },
    outcome: Outcome,
    customer: string | undefined = `cus_${customers++}`,
  ): Promise<Seen> {
    return visitBy(flow, outcome, customer);
  }
  async function visitBy(flow: { slug: string }, outcome: Outcome, customer: string | undefined): Promise<Seen> {
    const who = customer && { customer: { id: customer } };
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug, ...who });
    const step = async (node_key: string, more: object) =>
      (await service.client.post(`${SESSION}/${body.session_id}/step`, { node_key, ...more })).body;
    const { node } = await step('reason', because('price'));
    const arm = node.type === 'offer' ? 'discount' : 'nothing';
    const ends = outcome === 'accept' && arm === 'nothing' ? 'cancel' : outcome;
    if (ends === 'accept' || ends === 'keep' || ends === 'cancel') await step(node.key, { action: ends });
    if (ends === 'abandoned')
      await service.begunAt(new Date(Date.now() - 25 * 3_600_000).toISOString(), body.session_id as string);
    return { customer, arm, outcome: ends };
  }

  async function visits(flow: { slug: string }, count: number): Promise<Seen[]> {
    const seen = [];
    const outcomes: Outcome[] = ['accept', 'cancel', 'keep', 'open', 'abandoned', 'accept', 'cancel'];
    for (let n = 0; n < count; n++) seen.push(await visit(flow, outcomes[n % outcomes.length]));
    return seen;
  }

  /** The numbers of an arm, from what was seen: each customer by what they decided last. */
  function numbersOf(seen: Seen[], { name, weight, control = false }: SplitArm) {
    const own = seen.filter(({ arm }) => arm === name);
    const decisions = new Map<string, Outcome>();
    for (const { customer, outcome } of own) {
      if (customer === undefined) continue;
      const before = decisions.get(customer);
      if (!before || !(outcome === 'open' || outcome === 'abandoned')) decisions.set(customer, outcome);
      else if (before === 'abandoned') decisions.set(customer, outcome);
    }
    const count = (...outcomes: Outcome[]) => [...decisions.values()].filter((one) => outcomes.includes(one)).length;
    const total = decisions.size;
    const share = (part: number) => (total === 0 ? null : part / total);
    const interval = (part: number) => intervalOf(part, total, NOT_YET);
    const [saved, canceled] = [count('accept', 'keep'), count('cancel')];
    return {
      name,
      weight,
      control,
      customers: total,
      in_progress: count('open'),
      saved,
      saved_by_offer: count('accept'),
      canceled,
      abandoned: count('abandoned'),
      rates: { saved: share(saved), canceled: share(canceled) },
      interval: { saved: interval(saved), canceled: interval(canceled) },
      lift: null,
      lasting: [30, 60, 90, 180].map((days) => {
        return { days, customers: 0, still_there: 0, rate: null, stay: null, interval: null, at_risk: 0 };
      }),
      value: [],
      without_customer: own.length - own.filter(({ customer }) => customer !== undefined).length,
      seen_once: [...decisions.keys()].filter((one) => own.filter(({ customer }) => customer === one).length === 1)
        .length,
    };
  }

  const splitsOf = async (flow: { id: string }, query = '') =>
    (await acme.client.get(`/api/v1/public/flows/${flow.id}/stats${query}`)).body.splits;
  const entry = (from_version: number, to_version: number, seen: Seen[], split: SplitArm[]) => {
    const numbers = split.map((arm) => numbersOf(seen, arm));
    const verdict = { result: 'too_few', better: null, worse: null, method: 'planned', since: null };
    const [a, b] = split.map(({ name }) => name);
    // No day is over yet.
    const pairs = [{ a, b, result: 'too_few', saved: null, canceled: null }];
    const plan = { days: 30, day: 0, bound: null, over: false };
    const since = expect.stringMatching(/^20/);
    return { node_key: 'test', from_version, to_version, since, plan, arms: numbers, pairs, verdict, short: null };
  };

  it('equal what the customers saw and did, arm by arm, with the interval of each rate', async () => {
    const flow = await publish(arms(50));
    expect(await splitsOf(flow)).toEqual([]);
    const seen = await visits(flow, 42);
    expect(new Set(seen.map(({ arm }) => arm))).toEqual(new Set(['discount', 'nothing']));
    // One that never comes to the split is not in its numbers.
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug });
    await service.client.post(`${SESSION}/${body.session_id}/step`, { node_key: 'reason', ...because('moving') });

    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, arms(50))]);
    expect((await acme.client.get(`/api/v1/public/flows/${flow.id}/stats`)).body.sessions.total).toBe(43);
    const [{ arms: counted }] = await splitsOf(flow);
    expect(counted[2]).toMatchObject({
      name: 'never',
      customers: 0,
      rates: { saved: null, canceled: null },
      interval: { saved: null, canceled: null },
    });
    expect((await acme.client.get('/api/v1/public/stats')).body.flows[0].splits).toEqual(await splitsOf(flow));
  });

  it('count customers: one who comes three times counts once, by what they decided last', async () => {
    const flow = await publish(arms(50));
    const seen = [
      await visit(flow, 'cancel', 'ada'),
      await visit(flow, 'keep', 'ada'),
      await visit(flow, 'open', 'ada'),
    ];
    expect(new Set(seen.map(({ arm }) => arm)).size).toBe(1);
    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, arms(50))]);
    const [{ arms: counted }] = await splitsOf(flow);
    expect(counted.find(({ name }: { name: string }) => name === seen[0].arm)).toMatchObject({
      customers: 1,
      saved: 1,
    });
  });

  it('count what a customer decides elsewhere in the flow, before and after they came, until the arms change', async () => {
    const flow = await publish(arms(50));
    const elsewhere = async (customer: string, action: string) => {
      const { body } = await service.client.post(`${SESSION}/init`, {
        flow_slug: flow.slug,
        customer: { id: customer },
      });
      await service.client.post(`${SESSION}/${body.session_id}/step`, { action });
    };
    await elsewhere('bob', 'keep');
    const seen = [await visit(flow, 'abandoned', 'ada'), await visit(flow, 'open', 'bob')];
    await elsewhere('ada', 'cancel');
    await elsewhere('cleo', 'cancel');
    const last: Seen[] = [
      { ...seen[0], outcome: 'cancel' },
      { ...seen[1], outcome: 'keep' },
    ];
    // Both came twice.
    const decided = [...last, ...last];
    expect(await splitsOf(flow)).toEqual([entry(1, 1, decided, arms(50))]);
    await change(flow, arms(80));
    await elsewhere('bob', 'cancel');
    const later = await visit(flow, 'keep', 'ada');
    expect(await splitsOf(flow)).toEqual([entry(1, 1, decided, arms(50)), entry(2, 2, [later], arms(80))]);
  });

  it('have sessions without a customer apart', async () => {
    const flow = await publish(arms(50));
    const seen = [];
    for (let n = 0; n < 6; n++) seen.push(await visitBy(flow, 'keep', undefined));
    seen.push(await visit(flow, 'cancel'));
    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, arms(50))]);
    const [{ arms: counted }] = await splitsOf(flow);
    const sum = (field: string) => counted.reduce((all: number, arm: Record<string, number>) => all + arm[field], 0);
    expect([sum('customers'), sum('without_customer')]).toEqual([1, 6]);
  });

  it('have the lift of each arm over the control', async () => {
    const withControl = arms(50).map((arm) => ({ ...arm, control: arm.name === 'nothing' }));
    const flow = await publish(withControl);
    await visits(flow, 21);
    const [{ arms: counted }] = await splitsOf(flow);
    const [discount, control, never] = counted;
    expect(control).toMatchObject({ control: true, lift: null });
    expect(never.lift).toBeNull();
    expect(discount.lift.value).toBeCloseTo(control.rates.canceled - discount.rates.canceled, 12);
    expect(discount.lift.interval[0]).toBeLessThan(discount.lift.value);
    expect(discount.lift.interval[1]).toBeGreaterThan(discount.lift.value);
  });

  it('have what the customers of each arm who decided are worth a month', async () => {
    const flow = await acme.publishedFlow({
      flow_mode: 'advanced',
      definition: definition(arms(50)),
      estimated_monthly_value: 20,
    });
    await visits(flow, 21);
    const [{ arms: counted }] = await splitsOf(flow);
    for (const { customers, saved, saved_by_offer, canceled, value } of counted.slice(0, 2))
      expect(value).toEqual([
        {
          currency: null,
          verified: false,
          customers,
          saved: 20 * saved,
          canceled: 20 * canceled,
          // Nobody knows what the offer leaves: there is no billing system.
          net: saved_by_offer > 0 ? null : 20 * saved,
          paid_since: null,
          mean: Math.round((2000 * saved) / customers) / 100,
          interval: null,
        },
      ]);
    expect(counted[0].saved).toBeGreaterThan(0);
  });

  it('go on over versions that leave the arms as they are, and begin anew with other weights or targets', async () => {
    const flow = await publish(arms(50));
    const first = await visits(flow, 10);
    await change(flow, arms(50), 'Why, please?');
    const second = await visits(flow, 10);
    await change(flow, arms(80));
    const third = await visits(flow, 10);
    await change(flow, arms(80, 'second'));
    const fourth = await visits(flow, 10);
    await change(flow, arms(50));
    const fifth = await visits(flow, 10);
    expect(await splitsOf(flow)).toEqual([
      entry(1, 2, [...first, ...second], arms(50)),
      entry(3, 3, third, arms(80)),
      entry(4, 4, fourth, arms(80)),
      entry(5, 5, fifth, arms(50)),
    ]);
  });

  it('stay after the split is taken out of the flow', async () => {
    const flow = await publish(arms(50));
    const seen = await visits(flow, 7);
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { flow_mode: 'simple', offer_ids: [offer.id] });
    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, arms(50))]);
    expect(await splitsOf(flow, '?from=2026-01-01&to=2026-01-02')).toEqual([]);
  });

  describe('since its arms began:', () => {
    /** All sessions began, and the current version was published, so many days earlier. */
    const daysPass = (flow: { id: string }, days: number) =>
      service.database.transaction(async (manager) => {
        const earlier = (column: string) => `${column} = ${column} - interval '${days} days'`;
        const times = ['created_at', 'updated_at', 'ended_at'].map(earlier).join(', ');
        await manager.query(`UPDATE flow_sessions SET ${times} WHERE workspace_id = $1`, [acme.id]);
        await manager.query(`UPDATE session_steps SET ${earlier('created_at')} WHERE workspace_id = $1`, [acme.id]);
        await manager.query(`UPDATE flow_versions SET ${earlier('created_at')} WHERE flow_id = $1`, [flow.id]);
        await manager.query(`UPDATE flows SET ${earlier('first_published_at')} WHERE id = $1`, [flow.id]);
        await renameSessions('workspace_id', acme.id, manager);
      });
    const dayBefore = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);

    it('reads the whole days, finds the better arm, and stays with it whatever is asked for', async () => {
      const flow = await publish(arms(50));
      for (let n = 0; n < 260; n++) await visit(flow, 'accept');
      const today = (await splitsOf(flow))[0];
      expect(today).toMatchObject({ plan: { day: 0, bound: null }, verdict: { result: 'too_few' } });
      await daysPass(flow, 12);
      const [split] = await splitsOf(flow);
      expect(split).toMatchObject({
        plan: { days: 30, day: 12, bound: expect.any(Number), over: false },
        verdict: { result: 'apart', better: 'discount', worse: 'nothing', method: 'planned' },
        pairs: [{ a: 'discount', b: 'nothing', result: 'apart' }],
        short: null,
      });
      // Two days after they came, the bound is below 8; it was reached on one of the first.
      expect(split.verdict.since >= dayBefore(11) && split.verdict.since < dayBefore(7)).toBe(true);
      for (let n = 0; n < 7; n++) await visit(flow, 'accept');
      const [later] = await splitsOf(flow, `?from=${dayBefore(1)}`);
      expect(later).toMatchObject({ since: split.since, verdict: split.verdict, pairs: split.pairs, plan: split.plan });
      expect(later.arms[0].customers + later.arms[1].customers).toBe(267);
      const [until] = await splitsOf(flow, `?to=${dayBefore(1)}`);
      expect(until).toMatchObject({ plan: null, verdict: null });
      expect(until.arms[0].customers).toBe(split.arms[0].customers);
    });

    it('has numbers though older sessions of the flow were deleted, and none once its own are', async () => {
      const flow = await publish(arms(80));
      await change(flow, arms(50));
      const seen = await visits(flow, 7);
      await daysPass(flow, 5);
      const deleted = (days: number) =>
        service.database.query(
          `INSERT INTO daily_sums (workspace_id, day, flow_id, flow_version, kind, node_key, value, sessions, accepted, kept, canceled, until)
          SELECT $1, $2, $3, 2, kind, node, value, 1000, 0, 0, 0, $2::date + 1
          FROM (VALUES ('session', '', ''), ('way', 'test', 'discount')) AS fact (kind, node, value)`,
          [acme.id, dayBefore(days), flow.id],
        );
      await deleted(60);
      const stats = async () =>
        (await acme.client.get(`/api/v1/public/flows/${flow.id}/stats?from=${dayBefore(90)}`)).body;
      const kept = await stats();
      expect(kept.customers).toBeNull();
      expect(kept.splits).toMatchObject([{ from_version: 2, plan: { day: 5 }, arms: numbersIn(seen) }]);
      await deleted(4);
      expect((await stats()).splits).toMatchObject([{ arms: null, pairs: null, verdict: null, plan: null }]);
    });

    it('begins when the flow is published first, however old its draft is', async () => {
      const draft = await acme.flow({ flow_mode: 'advanced', definition: definition(arms(50)) });
      await daysPass(draft, 40);
      await acme.client.put(`/api/v1/public/flows/${draft.id}`, { status: 'published' });
      const { slug } = (await acme.client.get(`/api/v1/public/flows/${draft.id}`)).body;
      await visit({ slug }, 'accept');
      expect(await splitsOf(draft)).toMatchObject([{ plan: { day: 0, over: false } }]);
    });

    it('has no plan if nobody plans, and draws anew if they do', async () => {
      const planned = (days: number | null) => ({
        ...definition(arms(50)),
        nodes: definition(arms(50)).nodes.map((node) =>
          node.key === 'test' ? { ...node, config: { ...node.config, planned_days: days } } : node,
        ),
      });
      const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: planned(null) });
      await visits(flow, 3);
      expect(await splitsOf(flow)).toMatchObject([{ plan: null, verdict: { method: 'always_valid' } }]);
      const put = async (days: number) =>
        (await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: planned(days) })).body;
      expect(await put(14)).toMatchObject({
        warnings: [
          {
            pointer: '/definition/nodes/1/config',
            message: expect.stringMatching(
              /^The test test starts again at zero, and each customer is put in an arm anew/,
            ),
          },
        ],
      });
      expect(await put(14)).not.toHaveProperty('warnings');
      await visits(flow, 3);
      expect(await splitsOf(flow)).toMatchObject([{ plan: null }, { from_version: 2, plan: { days: 14 } }]);
      const refused = await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: planned(3) });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([
        400,
        '/definition/nodes/1/config/planned_days',
      ]);
    });
  });

  it('begin with another draw when weights change, so that customers who return are not where they were', async () => {
    const flow = await publish(arms(50));
    const [before, after]: string[][] = [[], []];
    for (let n = 0; n < 40; n++) before.push((await visit(flow, 'open', `returning_${n}`)).arm);
    await change(flow, arms(51));
    for (let n = 0; n < 40; n++) after.push((await visit(flow, 'open', `returning_${n}`)).arm);
    // Of 40, about 20 are moved. By weights alone it were one or none.
    expect(before.filter((arm, n) => arm !== after[n]).length).toBeGreaterThan(6);
  });

  it('keep the arms of customers who return where the split has a salt, and the change says so', async () => {
    const salted = (weight: number) => ({
      ...definition(arms(weight)),
      nodes: definition(arms(weight)).nodes.map((node) =>
        node.key === 'test' ? { ...node, config: { ...node.config, salt: 'mine' } } : node,
      ),
    });
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: salted(50) });
    const [before, after]: string[][] = [[], []];
    for (let n = 0; n < 20; n++) before.push((await visit(flow, 'open', `regular_${n}`)).arm);
    const { body } = await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: salted(51) });
    expect(body.warnings).toEqual([
      {
        pointer: '/definition/nodes/1/config',
        message: expect.stringMatching(/^The test test has a salt: customers who return stay in their old arms/),
      },
    ]);
    for (let n = 0; n < 20; n++) after.push((await visit(flow, 'open', `regular_${n}`)).arm);
    expect(before.filter((arm, n) => arm !== after[n]).length).toBeLessThanOrEqual(2);
  });
});

/** How many customers were seen in each arm. */
function numbersIn(seen: Seen[]): object[] {
  return ['discount', 'nothing', 'never'].map((name) => {
    return { name, customers: seen.filter(({ arm }) => arm === name).length };
  });
}
