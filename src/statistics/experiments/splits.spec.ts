import type { ArmCustomers } from './arm-customers';
import { experimentsOf, numbersOfSplits, scopesOf, type SplitOfVersion, withEarlier } from './splits';

const split = (version: number, weight: number, next = 'discount', node_key = 'test'): SplitOfVersion => ({
  flow_id: 'flow',
  version,
  node_key,
  draw: null,
  since: new Date(`2026-11-0${version}T09:30:00Z`),
  config: {
    ways: [
      { name: 'discount', weight, next },
      { name: 'pause', weight: 100 - weight, next: 'pause' },
    ],
  },
});

/** Nobody came, until a time in the twelfth day. */
const NONE = {
  customers: [],
  lasting: { counts: [], watched: [] },
  arrivals: [],
  isDeleted: () => false,
  until: new Date('2026-11-13T09:00:00Z'),
  isNow: true,
};

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
    expect(scopesOf(experimentsOf(splits))).toMatchObject([
      { flow_id: 'flow', node_key: 'another', from_version: 1, to_version: 2_147_483_647 },
      { flow_id: 'flow', node_key: 'test', from_version: 1, to_version: 3 },
      { flow_id: 'flow', node_key: 'test', from_version: 4, to_version: 2_147_483_647 },
    ]);
  });

  it('has all arms in their order, with their customers, and the sessions without one apart', () => {
    const experiments = experimentsOf([split(1, 70), split(2, 70)]);
    const arrival = (kind: string, version: number, sessions: number) =>
      ({ kind, flow_id: 'flow', version, node_key: 'test', value: 'pause', sessions }) as const;
    const inEuros = (decided: 'accepted' | 'canceled', number: number, net: number | null) => {
      return { decided, currency: 'EUR', verified: true, customers: number, amount: 4900 * number, net };
    };
    const waiting = {
      decided: 'in_progress',
      currency: null,
      verified: false,
      customers: 1,
      amount: null,
      net: null,
    } as const;
    const worth = [inEuros('accepted', 1, 2450), inEuros('canceled', 2, null), waiting];
    const paid = [{ currency: 'EUR', verified: true, paid: 4900 }];
    const cut = [{ currency: 'EUR', verified: true, customers: 3, sum: 4900, squares: 4900 ** 2 }];
    const value = [
      {
        currency: 'EUR',
        verified: true,
        customers: 3,
        saved: 4900,
        canceled: 9800,
        net: 2450,
        paid_since: 4900,
        mean: 1633.33,
        interval: null,
      },
    ];
    const scope = { flow_id: 'flow', node_key: 'test', from_version: 1, arm: 'pause' };
    const changes = [{ day: '2026-11-01', customers: 4, saved: 1, canceled: 2 }];
    const customers = [{ ...scope, seen_once: 3, worth, paid, cut, changes }];
    const arrivals = [arrival('way', 1, 4), arrival('arm', 1, 3), arrival('way', 2, 2), arrival('arm', 2, 2)];
    const [{ arms, pairs, verdict, plan, since }] = numbersOfSplits(experiments, { ...NONE, customers, arrivals });
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
    expect(verdict).toEqual({ result: 'too_few', better: null, worse: null, method: 'planned', since: null });
    expect(plan).toEqual({ days: 30, day: 12, bound: expect.any(Number), over: false });
    expect(since).toEqual(new Date('2026-11-01T09:30:00Z'));
  });

  describe('reads whole days:', () => {
    const [experiment] = experimentsOf([split(1, 50)]);
    /** So many of 200 customers of an arm, who come on each of some days, are saved. */
    const came = (arm: string, saved: number, days: number[]): ArmCustomers => {
      const scope = { flow_id: 'flow', node_key: 'test', from_version: 1, arm };
      const changes = days.map((day) => {
        return { day: `2026-11-${String(day).padStart(2, '0')}`, customers: 200, saved, canceled: 0 };
      });
      return { ...scope, seen_once: 0, worth: [], paid: [], cut: [], changes };
    };
    const ten = Array.from({ length: 10 }, (_, index) => index + 1);
    const reading = (until: string, ...customers: ArmCustomers[]) =>
      numbersOfSplits([experiment], { ...NONE, customers, until: new Date(until) })[0];

    it('what came today changes nothing, and the first day has no verdict', () => {
      const arms = [came('discount', 80, ten), came('pause', 40, ten)];
      const hours = [0, 13, 23].map((hour) => reading(`2026-11-08T${String(hour).padStart(2, '0')}:59:00Z`, ...arms));
      expect(new Set(hours.map(({ pairs, verdict, plan }) => JSON.stringify([pairs, verdict, plan]))).size).toBe(1);
      expect(reading('2026-11-01T23:00:00Z', ...arms)).toMatchObject({
        plan: { day: 0, bound: null },
        verdict: { result: 'too_few' },
      });
    });

    it('a verdict stays from the day on which it was reached', () => {
      const days = Array.from({ length: 25 }, (_, index) => index + 1);
      const arms = [came('discount', 80, ten), came('pause', 40, ten)];
      const found = reading('2026-11-12T09:00:00Z', ...arms).verdict!;
      expect(found).toMatchObject({ result: 'apart', better: 'discount', method: 'planned' });
      const later = [came('discount', 0, days.slice(10)), came('pause', 100, days.slice(10))];
      const both = arms.map((arm, index) => ({ ...arm, changes: [...arm.changes, ...later[index].changes] }));
      const read = reading('2026-11-26T09:00:00Z', ...both);
      expect(read.verdict).toEqual(found);
      expect(read.pairs).toMatchObject([{ a: 'pause', b: 'discount' }]);
    });

    it('missing customers take its place, and the arm that lacks them is named', () => {
      const arms = [
        came('discount', 80, ten),
        came(
          'pause',
          40,
          ten.filter((day) => day % 2 === 0),
        ),
      ];
      expect(reading('2026-11-12T09:00:00Z', ...arms)).toMatchObject({
        short: 'pause',
        pairs: [{ result: 'sample_ratio_mismatch' }],
        verdict: { result: 'sample_ratio_mismatch', better: null, since: expect.stringMatching(/^2026-11-0/) },
      });
    });

    it('up to a time that was chosen, there is no verdict', () => {
      const customers = [came('discount', 80, ten), came('pause', 40, ten)];
      const chosen = { ...NONE, customers, until: new Date('2026-11-12T00:00:00Z'), isNow: false };
      const [{ plan, verdict, pairs }] = numbersOfSplits([experiment], chosen);
      expect([plan, verdict, pairs!.length]).toEqual([null, null, 1]);
    });
  });

  it('began with the first version that had its arms, though nobody came to that in the span', async () => {
    const all = Array.from({ length: 50 }, (_, index) => split(index + 1, index < 3 ? 50 : 70));
    const read = jest.fn((given: { version: number }[], most: number) =>
      Promise.resolve(all.filter(({ version }) => version < given[0].version).slice(-most)),
    );
    const [{ from_version, since }] = experimentsOf(await withEarlier([all[48], all[49]], read));
    expect([from_version, since]).toEqual([4, all[3].since]);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('says nothing if nobody knows its customers any more', () => {
    const experiments = experimentsOf([split(1, 70)]);
    expect(numbersOfSplits(experiments, { ...NONE, isDeleted: () => true })).toMatchObject([
      { arms: null, pairs: null, verdict: null, plan: null, short: null },
    ]);
  });
});
