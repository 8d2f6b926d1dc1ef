import type { FlowStats } from '@retention-flow/client';
import { differenceOf, zOf } from '../../../src/statistics/experiment';
import { counted } from '../ui/format';

export type Split = FlowStats['splits'][number];
export type Arm = NonNullable<Split['arms']>[number];

/** Fewer customers of an arm say nothing, as in the verdict of the service. */
const ENOUGH = 100;
/** Waiting for longer is no advice. */
const MOST_DAYS = 365;
/** More sessions without a customer, for each customer, make the numbers doubtful. */
const MANY = 0.1;
/** So do more customers than that who came once and unsigned. */
const MOST = 0.9;

/**
 * What is known of an experiment, and how long to wait, in one or two sentences.
 *
 * @param days since it began; undefined if nobody comes any more
 */
export function knownOf({ arms, verdict }: Split, days: number | undefined): string {
  if (!arms) return 'Old sessions were deleted, so it is not known how many customers came.';
  const running = arms.filter(({ weight }) => weight > 0);
  switch (verdict?.result) {
    case undefined:
      return `All customers get “${running[0]?.name}”: there is nothing to compare.`;
    case 'apart':
      return (
        `“${verdict.better}” saves more customers than “${verdict.worse}”. ` +
        'Equal arms look like that in fewer than 5 of 100 experiments that are looked at daily for a month.'
      );
    case 'sample_ratio_mismatch':
      return (
        'The arms cannot be compared: the customers are not divided as the weights say, which chance does in about 1 of ' +
        '100 experiments. Look for pages that start only some of the sessions, or that drop customer ids.'
      );
    case 'too_few': {
      const waiting = wait(daysUntilEnough(running, days), ' At this rate, that takes more than a year.');
      return `Too early to say: each arm needs ${ENOUGH} customers.${waiting}`;
    }
    default: {
      const [low, high] = extremes(running);
      if (differenceOf('saved', high, low, zOf(arms))[0] > 0) {
        return (
          `“${high.name}” saves more customers than “${low.name}”, but more cancel, too: in “${low.name}”, more close the ` +
          'window. So neither is better.'
        );
      }
      const tooLong = ' As close as the arms are, more customers will hardly show one.';
      return `No difference is shown yet.${wait(daysUntilApart(low, high, days), tooLong)}`;
    }
  }
}

/** What makes the numbers of an experiment doubtful. */
export function doubtsOf(split: Split, splits: Split[]): string[] {
  const arms = split.arms ?? [];
  const anonymous = arms.reduce((sum, arm) => sum + arm.without_customer, 0);
  const customers = arms.reduce((sum, arm) => sum + arm.customers, 0);
  const once = arms.reduce((sum, arm) => sum + arm.seen_once, 0);
  const next = laterOf(split, splits);
  return [
    ...(customers >= ENOUGH && once > MOST * customers
      ? [
          `${counted(once, 'customer')} of ${customers} came once and without a token. If your page makes a new id each time ` +
            'it loads, one person counts as several, and every rate is wrong. Sign who the customer is.',
        ]
      : []),
    ...(anonymous > MANY * customers
      ? [
          `${counted(anonymous, 'session')} without a customer ${anonymous === 1 ? 'is' : 'are'} not counted: ` +
            'they may be visits of the same person. Name the customer when a session starts.',
        ]
      : []),
    ...(next ? [`The arms were changed before version ${next.from_version}, so these numbers are final.`] : []),
  ];
}

/** The experiment at the same node after its arms were changed. */
export function laterOf(split: Split, splits: Split[]): Split | undefined {
  return splits.find((other) => other.node_key === split.node_key && other.from_version > split.to_version);
}

/** Of how much a share is a part: a weight of 1 among 1 and 3 is 25%. */
export function weightShare(arm: Pick<Arm, 'weight'>, arms: Pick<Arm, 'weight'>[]): number | null {
  const whole = arms.reduce((sum, { weight }) => sum + weight, 0);
  return whole === 0 ? null : arm.weight / whole;
}

function wait(days: number | undefined, tooLong: string): string {
  if (days === undefined) return '';
  if (days > MOST_DAYS) return tooLong;
  return ` If it goes on like this, look again in ${counted(Math.max(1, Math.ceil(days)), 'day')}.`;
}

function daysUntilEnough(arms: Arm[], days: number | undefined): number | undefined {
  const fewest = Math.min(...arms.map(({ customers }) => customers));
  return fewest === 0 || days === undefined ? undefined : ((ENOUGH - fewest) / fewest) * days;
}

/** The arms that save the fewest and the most. */
function extremes(arms: Arm[]): [Arm, Arm] {
  const sorted = arms.toSorted((a, b) => a.rates.saved! - b.rates.saved!);
  return [sorted[0], sorted.at(-1)!];
}

/** How long it takes until the intervals of two arms stop to overlap, at the same shares. */
function daysUntilApart(low: Arm, high: Arm, days: number | undefined): number | undefined {
  if (days === undefined) return undefined;
  const difference = high.rates.saved! - low.rates.saved!;
  if (difference === 0) return Infinity;
  // An interval gets narrower with the square root of the customers.
  const reach = low.interval.saved![1] - low.rates.saved! + (high.rates.saved! - high.interval.saved![0]);
  return ((reach / difference) ** 2 - 1) * days;
}
