import type { SplitWay } from '../../src/flows/flow-definition';
import { intervalOf } from '../../src/insights/interval';
import { Service, type Tenant } from '../support/service';
import { because } from './walk';

const SESSION = '/api/v1/runtime/session';

type Outcome = 'accept' | 'keep' | 'cancel' | 'open' | 'abandoned';

/** What a test saw of a session: how it went on from the split, and how it ended. */
interface Seen {
  way: string;
  outcome: Outcome;
}

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

  const ways = (weight: number, discount = 'discount'): SplitWay[] => [
    { name: 'discount', weight, next: discount },
    { name: 'nothing', weight: 100 - weight, next: 'sure' },
    { name: 'never', weight: 0, next: 'sure' },
  ];

  /** A survey whose first option leads to the split, and the other past it. The nodes tell the ways apart. */
  const definition = (split: SplitWay[], title = 'Why?') => ({
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
  const publish = (split: SplitWay[]) => acme.publishedFlow({ flow_mode: 'advanced', definition: definition(split) });
  const change = async (flow: { id: string }, split: SplitWay[], title?: string) =>
    expect(
      (await acme.client.put(`/api/v1/public/flows/${flow.id}`, { definition: definition(split, title) })).status,
    ).toBe(200);

  let customers = 0;
  /** A customer comes to the split, and ends so wherever it leads. */
  async function visit(flow: { slug: string }, outcome: Outcome, id = `cus_${customers++}`): Promise<Seen> {
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug, customer: { id } });
    const step = async (node_key: string, more: object) =>
      (await service.client.post(`${SESSION}/${body.session_id}/step`, { node_key, ...more })).body;
    const { node } = await step('reason', because('price'));
    const way = node.type === 'offer' ? 'discount' : 'nothing';
    const ends = outcome === 'accept' && way === 'nothing' ? 'cancel' : outcome;
    if (ends === 'accept' || ends === 'keep' || ends === 'cancel') await step(node.key, { action: ends });
    if (ends === 'abandoned') {
      await service.database.query(
        `UPDATE flow_sessions SET updated_at = updated_at - interval '25 hours' WHERE session_id = $1`,
        [body.session_id],
      );
    }
    return { way, outcome: ends };
  }

  async function visits(flow: { slug: string }, count: number): Promise<Seen[]> {
    const seen = [];
    const outcomes: Outcome[] = ['accept', 'cancel', 'keep', 'open', 'abandoned', 'accept', 'cancel'];
    for (let n = 0; n < count; n++) seen.push(await visit(flow, outcomes[n % outcomes.length]));
    return seen;
  }

  /** The numbers of a way, from what was seen. */
  function numbersOf(seen: Seen[], { name, weight }: SplitWay) {
    const own = seen.filter(({ way }) => way === name);
    const count = (...outcomes: Outcome[]) => own.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const ended = own.length - count('open');
    const share = (part: number) => (ended === 0 ? null : part / ended);
    const [accepted, staying] = [count('accept'), ended - count('cancel')];
    return {
      name,
      weight,
      sessions: own.length,
      saved: count('accept', 'keep'),
      ended,
      save_rate: { accepted_offer: share(accepted), not_canceled: share(staying) },
      interval: { accepted_offer: intervalOf(accepted, ended), not_canceled: intervalOf(staying, ended) },
    };
  }

  const splitsOf = async (flow: { id: string }, query = '') =>
    (await acme.client.get(`/api/v1/public/flows/${flow.id}/stats${query}`)).body.splits;
  const entry = (from_version: number, to_version: number, seen: Seen[], split: SplitWay[]) => ({
    node_key: 'test',
    from_version,
    to_version,
    ways: split.map((way) => numbersOf(seen, way)),
  });

  it('equal what the customers saw and did, way by way, with the interval of each rate', async () => {
    const flow = await publish(ways(50));
    expect(await splitsOf(flow)).toEqual([]);
    const seen = await visits(flow, 42);
    expect(new Set(seen.map(({ way }) => way))).toEqual(new Set(['discount', 'nothing']));
    // One that never comes to the split is not in its numbers.
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug });
    await service.client.post(`${SESSION}/${body.session_id}/step`, { node_key: 'reason', ...because('moving') });

    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, ways(50))]);
    expect((await acme.client.get(`/api/v1/public/flows/${flow.id}/stats`)).body.sessions.total).toBe(43);
    const [{ ways: counted }] = await splitsOf(flow);
    expect(counted[2]).toEqual({
      name: 'never',
      weight: 0,
      sessions: 0,
      saved: 0,
      ended: 0,
      save_rate: { accepted_offer: null, not_canceled: null },
      interval: { accepted_offer: null, not_canceled: null },
    });
    expect((await acme.client.get('/api/v1/public/stats')).body.flows[0].splits).toEqual(await splitsOf(flow));
  });

  it('count sessions: a customer who comes three times goes the same way three times', async () => {
    const flow = await publish(ways(50));
    const seen = [
      await visit(flow, 'open', 'ada'),
      await visit(flow, 'keep', 'ada'),
      await visit(flow, 'cancel', 'ada'),
    ];
    expect(new Set(seen.map(({ way }) => way)).size).toBe(1);
    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, ways(50))]);
  });

  it('go on over versions that leave the ways as they are, and begin anew with other weights or targets', async () => {
    const flow = await publish(ways(50));
    const first = await visits(flow, 10);
    await change(flow, ways(50), 'Why, please?');
    const second = await visits(flow, 10);
    await change(flow, ways(80));
    const third = await visits(flow, 10);
    await change(flow, ways(80, 'second'));
    const fourth = await visits(flow, 10);
    await change(flow, ways(50));
    const fifth = await visits(flow, 10);
    expect(await splitsOf(flow)).toEqual([
      entry(1, 2, [...first, ...second], ways(50)),
      entry(3, 3, third, ways(80)),
      entry(4, 4, fourth, ways(80)),
      entry(5, 5, fifth, ways(50)),
    ]);
  });

  it('stay after the split is taken out of the flow', async () => {
    const flow = await publish(ways(50));
    const seen = await visits(flow, 7);
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { flow_mode: 'simple', offer_ids: [offer.id] });
    expect(await splitsOf(flow)).toEqual([entry(1, 1, seen, ways(50))]);
    expect(await splitsOf(flow, '?from=2026-01-01&to=2026-01-02')).toEqual([]);
  });
});
