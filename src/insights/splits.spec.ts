import { splitsOf, type WayCount } from './splits';

const split = (version: number, weight: number, next = 'discount', node_key = 'test') => ({
  version,
  node_key,
  ways: [
    { name: 'discount', weight, next },
    { name: 'pause', weight: 100 - weight, next: 'pause' },
  ],
});

const came = (version: number, value: string, sessions: number, node_key = 'test'): WayCount => ({
  version,
  node_key,
  value,
  sessions,
  accepted: 1,
  kept: 0,
  canceled: 0,
  in_progress: 1,
});

/** What the test is about: which versions are counted together, and the sessions of each way. */
const brief = (counts: WayCount[], splits: ReturnType<typeof split>[]) =>
  splitsOf(counts, splits).map(({ node_key, from_version, to_version, ways }) => [
    node_key,
    from_version,
    to_version,
    ...ways.map(({ weight, sessions }) => `${sessions} of ${weight}`),
  ]);

describe('The numbers of a split', () => {
  it('are those of its ways, in their order, with rates and intervals of the sessions that ended', () => {
    const [{ ways }] = splitsOf([came(1, 'pause', 4), came(1, 'discount', 2)], [split(1, 70)]);
    expect(ways).toEqual([
      {
        name: 'discount',
        weight: 70,
        sessions: 2,
        saved: 1,
        ended: 1,
        save_rate: { accepted_offer: 1, not_canceled: 1 },
        interval: { accepted_offer: [expect.closeTo(0.206549, 6), 1], not_canceled: [expect.closeTo(0.206549, 6), 1] },
      },
      expect.objectContaining({ name: 'pause', weight: 30, sessions: 4, saved: 1, ended: 3 }),
    ]);
  });

  it('are added up over versions while names, weights and targets stay the same', () => {
    expect(brief([came(1, 'pause', 4), came(2, 'pause', 5)], [split(2, 70), split(1, 70)])).toEqual([
      ['test', 1, 2, '0 of 70', '9 of 30'],
    ]);
  });

  it.each([
    ['weights', split(2, 50)],
    ['targets', split(2, 70, 'other_discount')],
  ])('begin anew when %s change, and again when they are changed back', (_, changed) => {
    const counts = [1, 2, 3].map((version) => came(version, 'discount', version));
    const spans = splitsOf(counts, [split(1, 70), changed, split(3, 70)]);
    expect(spans.map(({ from_version, to_version, ways }) => [from_version, to_version, ways[0].sessions])).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
    ]);
  });

  it('leave out versions in which no session came to the split', () => {
    expect(brief([came(1, 'pause', 4), came(3, 'pause', 5)], [split(1, 70), split(2, 50), split(3, 70)])).toEqual([
      ['test', 1, 3, '0 of 70', '9 of 30'],
    ]);
    expect(brief([], [split(1, 70)])).toEqual([]);
  });

  it('are told apart from those of another split of the flow', () => {
    const splits = [split(1, 70), split(1, 50, 'discount', 'another')];
    expect(brief([came(1, 'pause', 4), came(1, 'pause', 5, 'another')], splits)).toEqual([
      ['another', 1, 1, '0 of 50', '5 of 50'],
      ['test', 1, 1, '0 of 70', '4 of 30'],
    ]);
  });
});
