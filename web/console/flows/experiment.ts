import type { Flow, FlowDefinition, FlowStats } from '@retention-flow/client';
import { points } from '../ui/change';
import { counted } from '../ui/format';

export type Split = FlowStats['splits'][number];
export type Arm = NonNullable<Split['arms']>[number];
export type Pair = NonNullable<Split['pairs']>[number];

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
export function knownOf({ arms, pairs, verdict }: Split, days: number | undefined): string {
  if (!arms || !pairs) return 'Old sessions were deleted, so it is not known how many customers came.';
  const running = runningOf(arms);
  switch (verdict?.result) {
    case undefined:
      return `All customers get “${running[0]?.name}”: the test ended.`;
    case 'apart': {
      const winner = winnerOf({ arms, pairs });
      if (winner !== undefined) {
        return (
          `“${winner}” saves more customers than ${running.length === 2 ? `“${verdict.worse}”` : 'all other arms'}. ` +
          'Equal arms look like that in fewer than 5 of 100 experiments that are looked at daily for a month.'
        );
      }
      const losers = new Set(pairs.filter(({ result }) => result === 'apart').map(({ b }) => b));
      const lost = running.filter(({ name }) => losers.has(name));
      const open = pairs.filter(({ result, a, b }) => result !== 'apart' && !losers.has(a) && !losers.has(b));
      const said = `${named(lost)} ${lost.length === 1 ? 'saves' : 'save'} fewer customers than another arm.`;
      return open.length === 0 ? said : `${said} ${openWords(widest(open), days)}`;
    }
    case 'sample_ratio_mismatch':
      return (
        'The arms cannot be compared: the customers are not divided as the weights say, which chance does in about 1 of ' +
        '100 experiments. Look for pages that start only some of the sessions, or that drop customer ids.'
      );
    case 'too_few': {
      const waiting = wait(daysUntilEnough(running, days), ' At this rate, that takes more than a year.');
      return `Too early to say: each arm needs ${ENOUGH} customers.${waiting}`;
    }
    default:
      return openWords(widest(pairs), days);
  }
}

const HARDLY = ' As close as they are, more customers will hardly show one.';

/** What is open between two arms that are not apart, and how long to wait. */
function openWords(pair: Pair, days: number | undefined): string {
  if (pair.saved!.interval[0] > 0) return `${wordsOf(pair)} So neither is better.`;
  return `Between “${pair.a}” and “${pair.b}”, no difference is shown yet.${wait(daysUntilApart(pair, days), HARDLY)}`;
}

/** The arm that saves more than every other one that runs; undefined while there is none. */
export function winnerOf({ arms, pairs }: Pick<Split, 'arms' | 'pairs'>): string | undefined {
  const running = runningOf(arms ?? []);
  const beats = (name: string) => (pairs ?? []).filter(({ a, result }) => a === name && result === 'apart').length;
  return running.length < 2 ? undefined : running.find(({ name }) => beats(name) === running.length - 1)?.name;
}

/** How two arms compare, in a sentence. */
export function wordsOf({ a, b, result, saved }: Pair): string {
  if (result === 'too_few' || !saved) return `“${a}” and “${b}”: too early to say.`;
  if (result === 'sample_ratio_mismatch') return `“${a}” and “${b}” cannot be compared.`;
  const { difference, interval } = saved;
  const range = `${points(difference)}, between ${points(interval[0])} and ${points(interval[1])}`;
  if (result === 'apart') return `“${a}” saves more customers than “${b}”: ${range}.`;
  return interval[0] > 0
    ? `“${a}” saves more customers than “${b}”, but more cancel, too: in “${b}”, more close the window.`
    : `No difference between “${a}” and “${b}” is shown yet: ${range}.`;
}

/** Those that customers get. */
export function runningOf(arms: Arm[]): Arm[] {
  return arms.filter(({ weight }) => weight > 0);
}

/**
 * A graph in which everybody who comes to a split gets the same arm; undefined if it has no such split, or no such arm.
 */
export function endedWith(definition: FlowDefinition, splitKey: string, arm: string): FlowDefinition | undefined {
  const split = definition.nodes.find(({ key }) => key === splitKey);
  if (split?.type !== 'split' || !split.config.ways.some(({ name }) => name === arm)) return undefined;
  const ways = split.config.ways.map((way) => ({ ...way, weight: way.name === arm ? Math.max(1, way.weight) : 0 }));
  const ended = { ...split, config: { ...split.config, ways } };
  return { ...definition, nodes: definition.nodes.map((node) => (node === split ? ended : node)) };
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

/**
 * Whether customers still come to different arms of an experiment of a flow: it has the same arms now, and more than
 * one of them runs.
 */
export function goesOn(
  split: Split,
  splits: Split[],
  { status, definition }: Pick<Flow, 'status' | 'definition'>,
): boolean {
  const node = definition.nodes.find(({ key }) => key === split.node_key);
  if (status !== 'published' || node?.type !== 'split' || !split.arms) return false;
  const weightsOf = (arms: Pick<Arm, 'name' | 'weight'>[]) =>
    arms.map(({ name, weight }) => `${name} ${weight}`).toSorted();
  const isSame = String(weightsOf(split.arms)) === String(weightsOf(node.config.ways));
  return isSame && !laterOf(split, splits) && runningOf(split.arms).length > 1;
}

/** The arm that everybody gets since a test between several ended; undefined while it goes on. */
export function endedBy({ node_key, arms }: Split, { definition }: Pick<Flow, 'definition'>): string | undefined {
  const node = definition.nodes.find(({ key }) => key === node_key);
  if (node?.type !== 'split' || runningOf(arms ?? []).length < 2) return undefined;
  const running = node.config.ways.filter(({ weight }) => weight > 0);
  return running.length === 1 ? running[0].name : undefined;
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

const named = (arms: Arm[]) => new Intl.ListFormat('en').format(arms.map(({ name }) => `“${name}”`));

/** The pair with the largest difference. */
function widest(pairs: Pair[]): Pair {
  return pairs.reduce((most, pair) => (pair.saved!.difference > most.saved!.difference ? pair : most));
}

/** How long it takes until 0 is outside of the interval of a difference, at the same shares. */
function daysUntilApart({ saved }: Pair, days: number | undefined): number | undefined {
  if (days === undefined) return undefined;
  const { difference, interval } = saved!;
  if (difference === 0) return Infinity;
  // An interval gets narrower with the square root of the customers.
  return (((difference - interval[0]) / difference) ** 2 - 1) * days;
}
