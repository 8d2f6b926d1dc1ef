import { type ArmCount, findingOf, intervalOf, liftOf, pairsOf, shortArmOf } from './experiment';

/** The quantile of the normal distribution at 97.5 %. */
const Z = 1.959963984540054;

/**
 * Part, whole, and the ends of the interval as SciPy 1.17.1 has them:
 * `scipy.stats.binomtest(part, whole).proportion_ci(0.95, method='wilson')`.
 */
const BY_SCIPY = [
  [0, 1, 0.0, 0.7934506856227626],
  [1, 1, 0.20654931437723745, 1.0],
  [0, 10, 0.0, 0.27753279986288926],
  [3, 10, 0.10779126740630102, 0.6032218525388546],
  [5, 10, 0.236593090512564, 0.7634069094874361],
  [6, 10, 0.3126737697336583, 0.8318196702937639],
  [10, 10, 0.7224672001371109, 1.0],
  [1, 29, 0.006113214292762667, 0.17175521879320282],
  [12, 40, 0.18074845229746528, 0.45430018818144935],
  [70, 700, 0.07991270308886465, 0.12445357431358402],
  [499, 1000, 0.468073488750724, 0.529934164766247],
  [0, 5000, 0.0, 0.0007677019450571243],
  [5000, 5000, 0.9992322980549428, 1.0],
  [123456, 1000000, 0.12281269653142284, 0.12410219641400437],
  [999999, 1000000, 0.9999943350881957, 0.9999998234754233],
];

const arm = (name: string, customers: number, saved: number, canceled: number, weight = 50): ArmCount => ({
  name,
  weight,
  customers,
  saved,
  canceled,
});

const none = { better: null, worse: null };
/** How many standard errors two arms must be apart. */
const BOUND = 2.8;

describe('The interval of a share', () => {
  it.each(BY_SCIPY)('of %i in %i is the one of a statistics package', (part, whole, low, high) => {
    const interval = intervalOf(part, whole, Z)!;
    expect(interval[0]).toBeCloseTo(low, 12);
    expect(interval[1]).toBeCloseTo(high, 12);
  });

  it('begins at 0 if there was nothing, and ends at 1 if there was everything', () => {
    for (const whole of [1, 2, 7, 29, 1000, 999_983]) {
      expect(intervalOf(0, whole, Z)![0]).toBe(0);
      expect(intervalOf(whole, whole, Z)![1]).toBe(1);
    }
  });

  it('contains the share, and lies within 0 to 1, whatever the numbers', () => {
    for (let whole = 1; whole <= 200; whole++) {
      for (let part = 0; part <= whole; part++) {
        const [low, high] = intervalOf(part, whole, Z)!;
        expect(low >= 0 && low <= part / whole && part / whole <= high && high <= 1).toBe(true);
      }
    }
  });

  it('of nothing at all is none', () => {
    expect(intervalOf(0, 0, Z)).toBeNull();
  });
});

describe('The lift of an arm over the control', () => {
  it('has the interval of a table of Newcombe’s paper', () => {
    // 56 of 70 and 48 of 80, 95 %: 0.2 (0.0524 to 0.3339).
    const lift = liftOf(arm('none', 70, 0, 56), arm('offer', 80, 0, 48), Z)!;
    expect(lift.value).toBeCloseTo(0.2, 12);
    expect(lift.interval[0]).toBeCloseTo(0.0524, 4);
    expect(lift.interval[1]).toBeCloseTo(0.3339, 4);
  });

  it('is none while one of them has no customers', () => {
    expect(liftOf(arm('none', 0, 0, 0), arm('offer', 80, 0, 48), Z)).toBeNull();
    expect(liftOf(arm('none', 80, 0, 48), arm('offer', 0, 0, 0), Z)).toBeNull();
  });
});

describe('The pairs of an experiment', () => {
  const resultsOf = (arms: ArmCount[]) => pairsOf(arms, BOUND).map(({ a, b, result }) => `${a} ${result} ${b}`);

  it('are every two arms that run, with the one that saves more first', () => {
    const arms = [arm('none', 1000, 100, 800), arm('b25', 1000, 290, 600), arm('b30', 1000, 300, 600)];
    expect(resultsOf([...arms, arm('over', 500, 400, 0, 0)])).toEqual([
      'b25 apart none',
      'b30 apart none',
      'b30 not_apart b25',
    ]);
  });

  it('have the differences of both shares, with their intervals', () => {
    const [{ saved, canceled }] = pairsOf([arm('a', 1000, 200, 700), arm('b', 1000, 300, 600)], BOUND);
    expect(saved!.difference).toBeCloseTo(0.1, 12);
    expect(canceled!.difference).toBeCloseTo(-0.1, 12);
    for (const { difference, interval } of [saved!, canceled!]) {
      expect(interval[0]).toBeLessThan(difference);
      expect(interval[1]).toBeGreaterThan(difference);
    }
  });

  it('know no difference while nobody came to one of them', () => {
    expect(pairsOf([arm('a', 0, 0, 0), arm('b', 200, 0, 100)], BOUND)).toEqual([
      { a: 'a', b: 'b', result: 'too_few', saved: null, canceled: null },
    ]);
  });

  it('are compared although a third arm has too few customers, unless customers are missing', () => {
    const arms = [arm('a', 1000, 100, 800), arm('b', 1000, 300, 600), arm('new', 99, 90, 0, 5)];
    expect(resultsOf(arms)).toEqual(['b apart a', 'new too_few a', 'new too_few b']);
    const results = pairsOf(arms, BOUND, true).map(({ result }) => result);
    expect(results).toEqual(['sample_ratio_mismatch', 'too_few', 'too_few']);
  });
});

describe('What a day of an experiment finds', () => {
  const found = (...arms: ArmCount[]) => findingOf(arms, BOUND);

  it('needs 100 customers of each arm that runs', () => {
    expect(found(arm('a', 99, 90, 0), arm('b', 101, 0, 90))).toEqual({ result: 'too_few', ...none });
    expect(found(arm('a', 100, 90, 0), arm('b', 100, 0, 90), arm('over', 3, 0, 0, 0))).toEqual({
      result: 'apart',
      better: 'a',
      worse: 'b',
    });
  });

  it('is the arm that is better than each other, and the next after it', () => {
    const [a, b] = [arm('a', 1000, 200, 500), arm('b', 1000, 300, 500)];
    expect(found(b, a, arm('c', 1000, 400, 500))).toEqual({ result: 'apart', better: 'c', worse: 'b' });
    // It is better than the third, and not than the second.
    expect(found(b, a, arm('c', 1000, 310, 500))).toEqual({ result: 'not_apart', ...none });
  });

  it('is open while intervals overlap, and if what saves more is canceled more, too', () => {
    expect(found(arm('a', 1000, 200, 500), arm('b', 1000, 220, 500))).toEqual({ result: 'not_apart', ...none });
    expect(found(arm('a', 1000, 200, 300), arm('b', 1000, 300, 500))).toEqual({ result: 'not_apart', ...none });
  });
});

describe('The arm that is short of customers', () => {
  const short = (first: number, second: number, weights: [number, number] = [50, 50]) =>
    shortArmOf([arm('a', first, 0, 0, weights[0]), arm('b', second, 0, 0, weights[1])], 3);

  it('has fewer than its weight says, beyond chance', () => {
    // 3 standard errors of 2,000 customers are 67.
    expect([short(1067, 933), short(1068, 932), short(932, 1068)]).toEqual([null, 'b', 'a']);
    expect([short(1500, 500, [75, 25]), short(1000, 1000, [75, 25])]).toEqual([null, 'a']);
  });

  it('is none while there are few, or one arm alone', () => {
    expect(short(30, 5)).toBeNull();
    expect(short(1000, 0, [1000, 1])).toBeNull();
    expect(short(1000, 0, [1, 0])).toBeNull();
  });
});
