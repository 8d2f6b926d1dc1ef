import { intervalOf } from './interval';

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

describe('The 95 % interval of a share', () => {
  it.each(BY_SCIPY)('of %i in %i is the one of a statistics package', (part, whole, low, high) => {
    const interval = intervalOf(part, whole)!;
    expect(interval[0]).toBeCloseTo(low, 12);
    expect(interval[1]).toBeCloseTo(high, 12);
  });

  it('begins at 0 if there was nothing, and ends at 1 if there was everything', () => {
    for (const whole of [1, 2, 7, 29, 1000, 999_983]) {
      expect(intervalOf(0, whole)![0]).toBe(0);
      expect(intervalOf(whole, whole)![1]).toBe(1);
    }
  });

  it('contains the share, and lies within 0 to 1, whatever the numbers', () => {
    for (let whole = 1; whole <= 200; whole++) {
      for (let part = 0; part <= whole; part++) {
        const [low, high] = intervalOf(part, whole)!;
        expect(low >= 0 && low <= part / whole && part / whole <= high && high <= 1).toBe(true);
      }
    }
  });

  it('of nothing at all is none', () => {
    expect(intervalOf(0, 0)).toBeNull();
  });
});
