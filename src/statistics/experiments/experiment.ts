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

type Decision = 'saved' | 'canceled';

/** The counts of an arm's customers. */
type Counted = Pick<ArmCount, 'customers' | 'saved' | 'canceled'>;

/**
 * The result of an experiment: arms are `apart` or `not_apart`; one has `too_few` customers; or the customers are not
 * divided as the weights say (`sample_ratio_mismatch`), so something other than chance decides who is counted.
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

/** What an experiment says at the end of a day. */
export interface Finding {
  result: (typeof RESULTS)[number];
  /** The arm that saves more than each other, and the one that comes next; only with `apart`. */
  better: string | null;
  worse: string | null;
}

/** Fewer customers of an arm say nothing. */
const ENOUGH = 100;

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

/**
 * How many fewer of an arm's customers canceled than of the control's, as a share; null if one has none.
 *
 * @param z how many standard errors are beyond chance
 */
export function liftOf(control: ArmCount, arm: ArmCount, z: number): Lift | null {
  if (control.customers === 0 || arm.customers === 0) return null;
  const value = control.canceled / control.customers - arm.canceled / arm.customers;
  return { value, interval: intervalBetween('canceled', control, arm, z) };
}

/**
 * The interval of how much larger the share of one arm is than that of another: Newcombe's, of Wilson's intervals of
 * both (Statistics in Medicine 17, 1998, method 10). Good for arms of very different sizes, too.
 */
function intervalBetween(field: Decision, one: Counted, other: Counted, z: number): Interval {
  const [share, otherShare] = [one, other].map((arm) => arm[field] / arm.customers);
  const [[low, high], [otherLow, otherHigh]] = [one, other].map((arm) => intervalOf(arm[field], arm.customers, z)!);
  const value = share - otherShare;
  return [
    value - Math.hypot(share - low, otherHigh - otherShare),
    value + Math.hypot(high - share, otherShare - otherLow),
  ];
}

/**
 * How every two of the running arms compare.
 *
 * @param z how many standard errors two arms must be apart
 */
export function pairsOf(arms: ArmCount[], z: number, isMismatch = false): Pair[] {
  const running = runningOf(arms);
  return running.flatMap((one, index) =>
    running.slice(index + 1).map((other): Pair => {
      const [a, b] = shareOf('saved', other) > shareOf('saved', one) ? [other, one] : [one, other];
      const areKnown = a.customers > 0 && b.customers > 0;
      const compared = (field: Decision): Difference => ({
        difference: shareOf(field, a) - shareOf(field, b),
        interval: intervalBetween(field, a, b, z),
      });
      const [saved, canceled] = areKnown ? [compared('saved'), compared('canceled')] : [null, null];
      const resultOf = (): Pair['result'] => {
        if (!hasEnough(a) || !hasEnough(b)) return 'too_few';
        if (isMismatch) return 'sample_ratio_mismatch';
        return isBetter(a, b, z) ? 'apart' : 'not_apart';
      };
      return { a: a.name, b: b.name, result: resultOf(), saved, canceled };
    }),
  );
}

/**
 * Whether an arm is better than each other. No comparison is corrected for the number of arms: a false winner has to
 * beat all others at once, which is no more probable than to beat the best of them alone.
 *
 * @param z how many standard errors two arms must be apart
 */
export function findingOf(arms: ArmCount[], z: number): Finding {
  const running = runningOf(arms);
  const only = (result: Finding['result']): Finding => ({ result, better: null, worse: null });
  if (!running.every(hasEnough)) return only('too_few');
  const [best, next] = running.toSorted((a, b) => shareOf('saved', b) - shareOf('saved', a));
  const isBest = running.every((arm) => arm === best || isBetter(best, arm, z));
  return isBest ? { result: 'apart', better: best.name, worse: next.name } : only('not_apart');
}

/** More saved, and not more canceled: otherwise it is no better arm. */
const isBetter = (a: Counted, b: Counted, z: number): boolean =>
  intervalBetween('saved', a, b, z)[0] > 0 && intervalBetween('canceled', a, b, z)[0] <= 0;

/**
 * The arm that has fewer customers than its weight says, beyond chance; null if they are divided as the weights say.
 *
 * @param z how many standard errors a part must be from what is expected
 */
export function shortArmOf(arms: ArmCount[], z: number): string | null {
  const running = runningOf(arms);
  const sum = (of: (arm: ArmCount) => number) => running.reduce((total, arm) => total + of(arm), 0);
  const [customers, weights] = [sum((arm) => arm.customers), sum((arm) => arm.weight)];
  const off = running.map(({ name, weight, customers: came }) => {
    const share = weight / weights;
    const expected = customers * share;
    // With fewer, chance is not normal.
    const isTold = expected >= LEAST_EXPECTED && customers - expected >= LEAST_EXPECTED;
    return { name, errors: isTold ? (came - expected) / Math.sqrt(expected * (1 - share)) : 0 };
  });
  if (!off.some(({ errors }) => Math.abs(errors) > z)) return null;
  return off.reduce((least, one) => (one.errors < least.errors ? one : least)).name;
}

const LEAST_EXPECTED = 20;

/** Arms without weight are over, and don't count. */
export const runningOf = <Arm extends Pick<ArmCount, 'weight'>>(arms: Arm[]): Arm[] =>
  arms.filter(({ weight }) => weight > 0);

const hasEnough = ({ customers }: Counted) => customers >= ENOUGH;

const shareOf = (field: Decision, arm: Counted) => arm[field] / Math.max(1, arm.customers);
