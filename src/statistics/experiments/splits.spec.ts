import { experimentsOf, numbersOfSplits, scopesOf, type SplitOfVersion } from './splits';

const split = (version: number, weight: number, next = 'discount', node_key = 'test'): SplitOfVersion => ({
  flow_id: 'flow',
  version,
  node_key,
  config: {
    ways: [
      { name: 'discount', weight, next },
      { name: 'pause', weight: 100 - weight, next: 'pause' },
    ],
  },
});

const versionsOf = (splits: SplitOfVersion[]) =>
  experimentsOf(splits).map(({ node_key, from_version, versions }) => [node_key, from_version, versions.at(-1)]);

describe('An experiment', () => {
  it('goes on over versions while names, weights, targets and salt stay the same', () => {
    expect(versionsOf([split(2, 70), split(1, 70)])).toEqual([['test', 1, 2]]);
    expect(versionsOf([split(1, 70), split(3, 70)])).toEqual([['test', 1, 3]]);
  });

  it('goes on when the arms change their order, or say what is so without saying it', () => {
    const { config } = split(2, 70);
    const ways = config.ways.map((arm) => ({ ...arm, control: false })).toReversed();
    expect(versionsOf([split(1, 70), { ...split(2, 70), config: { ways, salt: 'test' } }])).toEqual([['test', 1, 2]]);
  });

  it.each([
    ['weights', split(2, 50)],
    ['targets', split(2, 70, 'other_discount')],
    ['the salt', { ...split(2, 70), config: { ...split(2, 70).config, salt: 'again' } }],
  ])('begins anew when %s change, and again when they are changed back', (_, changed) => {
    expect(versionsOf([split(1, 70), changed, split(3, 70)])).toEqual([
      ['test', 1, 1],
      ['test', 2, 2],
      ['test', 3, 3],
    ]);
  });

  it('is told apart from that of another split, and of another flow', () => {
    const splits = [split(1, 70), split(1, 50, 'discount', 'another'), { ...split(2, 70), flow_id: 'other' }];
    expect(versionsOf(splits)).toEqual([
      ['another', 1, 1],
      ['test', 1, 1],
      ['test', 2, 2],
    ]);
  });

  it('is counted until the next one at the same node begins', () => {
    const splits = [split(1, 70), split(2, 70), split(4, 50), split(1, 70, 'discount', 'another')];
    expect(scopesOf(experimentsOf(splits))).toEqual([
      { flow_id: 'flow', node_key: 'another', from_version: 1, to_version: 2_147_483_647 },
      { flow_id: 'flow', node_key: 'test', from_version: 1, to_version: 3 },
      { flow_id: 'flow', node_key: 'test', from_version: 4, to_version: 2_147_483_647 },
    ]);
  });

  it('has all arms in their order, with their customers, and the sessions without one apart', () => {
    const experiments = experimentsOf([split(1, 70), split(2, 70)]);
    const arrival = (kind: string, version: number, sessions: number) =>
      ({ kind, flow_id: 'flow', version, node_key: 'test', value: 'pause', sessions }) as const;
    const counts = { total: 4, saved: 1, saved_by_offer: 1, canceled: 2, in_progress: 1, abandoned: 0 };
    const value = [{ currency: 'EUR', verified: true, saved: 4900, canceled: 9800 }];
    const scope = { flow_id: 'flow', node_key: 'test', from_version: 1, arm: 'pause' };
    const customers = [{ ...scope, seen_once: 3, value, ...counts }];
    const arrivals = [arrival('way', 1, 4), arrival('arm', 1, 3), arrival('way', 2, 2), arrival('arm', 2, 2)];
    const [{ arms, pairs, verdict }] = numbersOfSplits(experiments, customers, [], arrivals, new Set());
    expect(arms).toMatchObject([
      {
        name: 'discount',
        customers: 0,
        rates: { saved: null, canceled: null },
        interval: { saved: null, canceled: null },
        without_customer: 0,
        seen_once: 0,
        value: [],
      },
      {
        name: 'pause',
        weight: 30,
        customers: 4,
        saved: 1,
        saved_by_offer: 1,
        canceled: 2,
        in_progress: 1,
        abandoned: 0,
        rates: { saved: 0.25, canceled: 0.5 },
        without_customer: 1,
        lift: null,
        value,
      },
    ]);
    expect(pairs).toEqual([{ a: 'pause', b: 'discount', result: 'too_few', saved: null, canceled: null }]);
    expect(verdict).toEqual({ result: 'too_few', better: null, worse: null });
  });

  it('says nothing if nobody knows its customers any more', () => {
    const experiments = experimentsOf([split(1, 70)]);
    expect(numbersOfSplits(experiments, [], [], [], new Set([experiments[0].flow_id]))).toMatchObject([
      { arms: null, pairs: null, verdict: null },
    ]);
  });
});
