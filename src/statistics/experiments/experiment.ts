/** Pure statistics: how the arms of a split compare, by their customers. */

/** An interval in which a share probably is, from 0 to 1; a difference of shares, from -1 to 1. */
export type Interval = [low: number, high: number];

/** The customers who came to an arm. Those who are neither saved nor canceled count in the shares, too. */
export interface ArmCount {
  name: string;
  weight: number;
  customers: number;
  saved: number;
  canceled: number;
}

/** The counts of an arm's customers. */
type Counted = Pick<ArmCount, 'customers' | 'saved' | 'canceled'>;

/**
 * The result of an experiment so far: two arms are `apart` or `not_apart`; one has `too_few` customers; or the
 * customers are not divided as the weights say (`sample_ratio_mismatch`), so something other than chance decides who is
 * counted.
 */
export const RESULTS = ['apart', 'not_apart', 'too_few', 'sample_ratio_mismatch'] as const;

/** How two arms compare. */
export interface Pair {
  /** The one that saves more so far. */
  a: string;
  b: string;
  result: (typeof RESULTS)[number];
  /** How much larger the share of `a` is; null while one of them has no customers. */
  saved: Difference | null;
  canceled: Difference | null;
}

export interface Difference {
  difference: number;
  /** The interval in which the difference probably is, from -1 to 1. */
  interval: Interval;
}

export interface Verdict {
  result: (typeof RESULTS)[number];
  /** The names of the two arms that are furthest apart; only with `apart`. */
  better: string | null;
  worse: string | null;
}

/** Fewer customers of an arm say nothing. */
const ENOUGH = 100;

/**
 * By the number of arms, from 2 on: Φ⁻¹(1 − 0.0052 / (k(k − 1))) / √2, rounded. An arm's interval has this z, and the
 * difference of two arms √2 times as much: for arms of one size, 0 is outside of it about when their intervals don't
 * overlap. With a look a day for a month, fewer than 5 % of experiments with equal arms, of whatever sizes, find a
 * difference.
 */
const Z_BY_ARMS = [
  1.975922, 2.215001, 2.355072, 2.453828, 2.529797, 2.591341, 2.64295, 2.687311, 2.726157, 2.760672, 2.791698, 2.819856,
  2.845616, 2.869342, 2.891323, 2.91179, 2.930931, 2.948903, 2.965836,
];

/**
 * By the degrees of freedom, from 1 on: what chi-squared exceeds in 0.1 % of the cases. NIST,
 * https://www.itl.nist.gov/div898/handbook/eda/section3/eda3674.htm
 */
const MISMATCH = [
  10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322, 26.124, 27.877, 29.588, 31.264, 32.909, 34.528, 36.123,
  37.697, 39.252, 40.79, 42.312, 43.82,
];

/** The z of the intervals of an experiment's arms. Arms without weight are over, and don't count. */
export function zOf(arms: Pick<ArmCount, 'weight'>[]): number {
  const running = arms.filter(({ weight }) => weight > 0).length;
  return Z_BY_ARMS[Math.max(2, running) - 2];
}

/**
 * The interval of the share of a part in a whole, by Wilson's score: good for small numbers too, and never outside 0 to
 * 1. Null if the whole is 0.
 */
export function intervalOf(part: number, whole: number, z: number): Interval | null {
  if (whole === 0) return null;
  const share = part / whole;
  const weight = 1 + z ** 2 / whole;
  const center = (share + z ** 2 / (2 * whole)) / weight;
  const reach = (z / weight) * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  // Exact at the ends, where rounding would leave a little more or less.
  return [part === 0 ? 0 : center - reach, part === whole ? 1 : center + reach];
}

/** How much smaller a share is than that of the control, and the interval of this difference. */
export interface Lift {
  value: number;
  /** From -1 to 1. */
  interval: Interval;
}

/** How many fewer of an arm's customers canceled than of the control's, as a share; null if one has none. */
export function liftOf(control: ArmCount, arm: ArmCount, z: number): Lift | null {
  if (control.customers === 0 || arm.customers === 0) return null;
  const value = control.canceled / control.customers - arm.canceled / arm.customers;
  return { value, interval: differenceOf('canceled', control, arm, z) };
}

/**
 * The interval of how much larger the share of one arm is than that of another: Newcombe's, of Wilson's intervals of
 * both (Statistics in Medicine 17, 1998, method 10). Good for arms of very different sizes, too.
 *
 * @param z of the intervals of the arms: see `Z_BY_ARMS`
 */
export function differenceOf(field: 'saved' | 'canceled', one: Counted, other: Counted, z: number): Interval {
  const [share, otherShare] = [one, other].map((arm) => arm[field] / arm.customers);
  const [[low, high], [otherLow, otherHigh]] = [one, other].map((arm) =>
    intervalOf(arm[field], arm.customers, z * Math.SQRT2)!,
  );
  const value = share - otherShare;
  return [
    value - Math.hypot(share - low, otherHigh - otherShare),
    value + Math.hypot(high - share, otherShare - otherLow),
  ];
}

/** How every two of the running arms compare. */
export function pairsOf(arms: ArmCount[]): Pair[] {
  const running = arms.filter(({ weight }) => weight > 0);
  const z = zOf(running);
  const isMismatched = isMismatch(running);
  return running.flatMap((one, index) =>
    running.slice(index + 1).map((other) => {
      const [a, b] = shareOf('saved', other) > shareOf('saved', one) ? [other, one] : [one, other];
      const areKnown = a.customers > 0 && b.customers > 0;
      const compared = (field: 'saved' | 'canceled'): Difference => ({
        difference: shareOf(field, a) - shareOf(field, b),
        interval: differenceOf(field, a, b, z),
      });
      const [saved, canceled] = areKnown ? [compared('saved'), compared('canceled')] : [null, null];
      const resultOf = (): Pair['result'] => {
        if (!hasEnough(a) || !hasEnough(b)) return 'too_few';
        if (isMismatched) return 'sample_ratio_mismatch';
        // More saved, and more canceled: that is no better arm.
        return saved!.interval[0] > 0 && canceled!.interval[0] <= 0 ? 'apart' : 'not_apart';
      };
      return { a: a.name, b: b.name, result: resultOf(), saved, canceled };
    }),
  );
}

/** What all pairs say together; null without any: the experiment is over. */
export function verdictOf(pairs: Pair[]): Verdict | null {
  if (pairs.length === 0) return null;
  const only = (result: Verdict['result']): Verdict => ({ result, better: null, worse: null });
  const doubt = (['too_few', 'sample_ratio_mismatch'] as const).find((one) =>
    pairs.some(({ result }) => result === one),
  );
  if (doubt) return only(doubt);
  const apart = pairs.filter(({ result }) => result === 'apart');
  if (apart.length === 0) return only('not_apart');
  const { a, b } = apart.reduce((widest, pair) =>
    pair.saved!.interval[0] > widest.saved!.interval[0] ? pair : widest,
  );
  return { result: 'apart', better: a, worse: b };
}

const hasEnough = ({ customers }: ArmCount) => customers >= ENOUGH;

const shareOf = (field: 'saved' | 'canceled', arm: Counted) => arm[field] / Math.max(1, arm.customers);

/**
 * Whether the customers are divided otherwise than by the weights, as chance does in 0.1 % of the cases (chi-squared
 * test).
 */
function isMismatch(arms: ArmCount[]): boolean {
  const sum = (of: (arm: ArmCount) => number) => arms.reduce((total, arm) => total + of(arm), 0);
  const [customers, weights] = [sum((arm) => arm.customers), sum((arm) => arm.weight)];
  // With fewer, the test is not good.
  if (arms.length < 2 || customers < ENOUGH * arms.length) return false;
  const difference = sum((arm) => {
    const expected = (customers * arm.weight) / weights;
    return (arm.customers - expected) ** 2 / expected;
  });
  return difference > MISMATCH[arms.length - 2];
}
