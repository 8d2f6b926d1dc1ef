import { type ArmCount, intervalOf, liftOf, pairsOf, verdictOf, zOf } from './experiment';

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

  it('is wider for more arms, by the formula of the documentation', () => {
    for (let arms = 2; arms <= 20; arms++) {
      const z = zOf(Array.from({ length: arms }, () => ({ weight: 1 })));
      expect(above(z * Math.SQRT2) * arms * (arms - 1)).toBeCloseTo(0.0052, 6);
    }
    expect(zOf([{ weight: 1 }, { weight: 0 }, { weight: 3 }])).toBe(zOf([{ weight: 1 }, { weight: 1 }]));
  });
});

describe('The lift of an arm over the control', () => {
  it('has the interval of a table of Newcombe’s paper', () => {
    // 56 of 70 and 48 of 80, 95 %: 0.2 (0.0524 to 0.3339).
    const lift = liftOf(arm('none', 70, 0, 56), arm('offer', 80, 0, 48), Z / Math.SQRT2)!;
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
  const resultsOf = (arms: ArmCount[]) => pairsOf(arms).map(({ a, b, result }) => `${a} ${result} ${b}`);

  it('are every two arms that run, with the one that saves more first', () => {
    const arms = [arm('none', 1000, 100, 800), arm('b25', 1000, 290, 600), arm('b30', 1000, 300, 600)];
    expect(resultsOf([...arms, arm('over', 500, 400, 0, 0)])).toEqual([
      'b25 apart none',
      'b30 apart none',
      'b30 not_apart b25',
    ]);
  });

  it('have the differences of both shares, with their intervals', () => {
    const [{ saved, canceled }] = pairsOf([arm('a', 1000, 200, 700), arm('b', 1000, 300, 600)]);
    expect(saved!.difference).toBeCloseTo(0.1, 12);
    expect(canceled!.difference).toBeCloseTo(-0.1, 12);
    for (const { difference, interval } of [saved!, canceled!]) {
      expect(interval[0]).toBeLessThan(difference);
      expect(interval[1]).toBeGreaterThan(difference);
    }
  });

  it('know no difference while nobody came to one of them', () => {
    expect(pairsOf([arm('a', 0, 0, 0), arm('b', 200, 0, 100)])).toEqual([
      { a: 'a', b: 'b', result: 'too_few', saved: null, canceled: null },
    ]);
  });

  it('are compared although a third arm has too few customers, unless chance does not do that', () => {
    const arms = (weight: number) => [
      arm('a', 1000, 100, 800),
      arm('b', 1000, 300, 600),
      arm('new', 99, 90, 0, weight),
    ];
    expect(resultsOf(arms(5))).toEqual(['b apart a', 'new too_few a', 'new too_few b']);
    expect(resultsOf(arms(50))).toEqual(['b sample_ratio_mismatch a', 'new too_few a', 'new too_few b']);
  });
});

describe('The verdict on an experiment', () => {
  const verdictFor = (arms: ArmCount[]) => verdictOf(pairsOf(arms));

  it('needs 100 customers of each arm that runs', () => {
    expect(verdictFor([arm('a', 99, 90, 0), arm('b', 101, 0, 90)])).toEqual({ result: 'too_few', ...none });
    expect(verdictFor([arm('a', 100, 90, 0), arm('b', 100, 0, 90), arm('over', 3, 0, 0, 0)])).toEqual({
      result: 'apart',
      better: 'a',
      worse: 'b',
    });
  });

  it('is none while fewer than two arms run', () => {
    expect(verdictFor([arm('a', 500, 100, 0), arm('b', 500, 300, 0, 0)])).toBeNull();
  });

  it('is that of the pair that is furthest apart', () => {
    const arms = [arm('b', 1000, 300, 500), arm('a', 1000, 200, 500), arm('c', 1000, 400, 500)];
    expect(verdictFor(arms)).toEqual({ result: 'apart', better: 'c', worse: 'a' });
  });

  it('is open while intervals overlap, and if what saves more is canceled more, too', () => {
    expect(verdictFor([arm('a', 1000, 200, 500), arm('b', 1000, 220, 500)])).toEqual({ result: 'not_apart', ...none });
    expect(verdictFor([arm('a', 1000, 200, 300), arm('b', 1000, 300, 500)])).toEqual({ result: 'not_apart', ...none });
  });

  it('is refused if customers are not divided by the weights, as chance does once in a thousand', () => {
    const divided = (first: number, weight: number) =>
      verdictFor([arm('a', first, 0, 0, weight), arm('b', 1000, 500, 0, 50)])!.result;
    expect([divided(1152, 50), divided(1153, 50)]).toEqual(['apart', 'sample_ratio_mismatch']);
    expect([divided(1000, 150), divided(3000, 150)]).toEqual(['sample_ratio_mismatch', 'apart']);
  });
});

/** How probable a value above `x` of the normal distribution is: its density, added up by Simpson's rule. */
function above(x: number): number {
  const [end, steps] = [12, 20_000];
  const density = (at: number) => Math.exp(-(at ** 2) / 2) / Math.sqrt(2 * Math.PI);
  const width = (end - x) / steps;
  let sum = density(x) + density(end);
  for (let step = 1; step < steps; step++) sum += density(x + step * width) * (step % 2 ? 4 : 2);
  return (sum * width) / 3;
}
