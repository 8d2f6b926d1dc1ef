import { type Arm, doubtsOf, knownOf, type Split, weightShare } from './experiment';

const arm = (name: string, customers: number, saved: number, interval: number[], more: object = {}): Arm =>
  ({
    name,
    weight: 50,
    customers,
    saved: Math.round(saved * customers),
    canceled: 0,
    rates: { saved, canceled: 0 },
    interval: { saved: interval },
    without_customer: 0,
    seen_once: 0,
    ...more,
  }) as Arm;
const split = (result: string, arms: Arm[] | null, more: object = {}): Split =>
  ({
    node_key: 'test',
    from_version: 1,
    to_version: 2,
    arms,
    verdict: arms && { result, better: 'b', worse: 'a' },
    ...more,
  }) as Split;
const far = [arm('a', 200, 0.2, [0.15, 0.27]), arm('b', 200, 0.3, [0.24, 0.37])];

describe('What an experiment says', () => {
  it('names the arm that saves more, and how certain that is', () => {
    expect(knownOf(split('apart', far), 10)).toBe(
      '“b” saves more customers than “a”. Equal arms look like that in fewer than 5 of 100 experiments that are looked at daily for a month.',
    );
  });

  it('is when to look again while there are too few customers, at the rate so far', () => {
    const arms = [
      arm('a', 80, 0.2, [0.1, 0.3]),
      arm('b', 40, 0.3, [0.1, 0.5]),
      arm('over', 1, 0, [0, 1], { weight: 0 }),
    ];
    expect(knownOf(split('too_few', arms), 10)).toContain(
      'each arm needs 100 customers. If it goes on like this, look again in 15 days.',
    );
    expect(knownOf(split('too_few', [arm('a', 1, 0, [0, 1])]), 10)).toContain('that takes more than a year');
    expect(knownOf(split('too_few', [arm('a', 0, 0, [0, 1])]), 10)).toBe(
      'Too early to say: each arm needs 100 customers.',
    );
  });

  it('is when to look again while no difference is shown, if more customers may show one', () => {
    // The intervals reach over 0.13 together, the difference is 0.1: 1.69 times as many customers.
    expect(knownOf(split('not_apart', far), 10)).toBe(
      'No difference is shown yet. If it goes on like this, look again in 7 days.',
    );
    const close = [arm('a', 200, 0.2, [0.15, 0.27]), arm('b', 200, 0.201, [0.15, 0.27])];
    expect(knownOf(split('not_apart', close), 10)).toContain('more customers will hardly show one');
    const equal = [arm('a', 200, 0.2, [0.15, 0.27]), arm('b', 200, 0.2, [0.15, 0.27])];
    expect(knownOf(split('not_apart', equal), 10)).toContain('more customers will hardly show one');
  });

  it('is no advice to wait where nobody comes any more', () => {
    expect(knownOf(split('not_apart', far), undefined)).toBe('No difference is shown yet.');
    expect(knownOf(split('too_few', far), undefined)).toBe('Too early to say: each arm needs 100 customers.');
  });

  it('is that neither is better, where the arm that saves more is canceled more, too', () => {
    const arms = [arm('a', 400, 0.2, [0.16, 0.24]), arm('b', 400, 0.4, [0.35, 0.45])];
    expect(knownOf(split('not_apart', arms), 10)).toBe(
      '“b” saves more customers than “a”, but more cancel, too: in “a”, more close the window. So neither is better.',
    );
  });

  it('is that it is over, if one arm has all customers', () => {
    const arms = [arm('a', 400, 0.2, [0.16, 0.24]), arm('b', 0, 0, [0, 1], { weight: 0 })];
    expect(knownOf({ ...split('', arms), verdict: null }, 10)).toBe(
      'All customers get “a”: there is nothing to compare.',
    );
  });

  it('is nothing where customers are divided wrongly, or were deleted', () => {
    expect(knownOf(split('sample_ratio_mismatch', far), 10)).toContain('cannot be compared');
    expect(knownOf(split('apart', null), 10)).toContain('were deleted');
  });
});

describe('What makes an experiment doubtful', () => {
  it('is more than one session of ten without a customer', () => {
    const anonymous = (without_customer: number) =>
      doubtsOf(split('apart', [arm('a', 100, 0.2, [0.1, 0.3], { without_customer })]), []);
    expect(anonymous(10)).toEqual([]);
    expect(anonymous(11)).toEqual([expect.stringMatching(/^11 sessions without a customer are not counted/)]);
  });

  it('is that nine of ten customers came once and unsigned, as if each load of the page made a new id', () => {
    const once = (seen_once: number) => doubtsOf(split('apart', [arm('a', 1000, 0.2, [0.1, 0.3], { seen_once })]), []);
    expect(once(900)).toEqual([]);
    expect(once(901)).toEqual([expect.stringMatching(/^901 customers of 1000 came once and without a token/)]);
  });

  it('is that its arms were changed', () => {
    const [first, second] = [split('apart', far), split('apart', far, { from_version: 3, to_version: 3 })];
    expect(doubtsOf(first, [first, second])).toEqual([
      'The arms were changed before version 3, so these numbers are final.',
    ]);
    expect(doubtsOf(second, [first, second])).toEqual([]);
  });
});

it('The share of an arm is its weight among all', () => {
  const arms = [{ weight: 1 }, { weight: 3 }];
  expect(arms.map((one) => weightShare(one, arms))).toEqual([0.25, 0.75]);
  expect(weightShare({ weight: 0 }, [{ weight: 0 }])).toBeNull();
});
