import type { Flow, FlowDefinition, FlowStats } from '@retention-flow/client';
import { points } from '../ui/change';
import { counted, day } from '../ui/format';

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
 * What is known of an experiment, and how long to wait, in a few sentences.
 *
 * @param days since it began; undefined if nobody comes any more
 */
export function knownOf({ arms, pairs, plan, verdict, short }: Split, days: number | undefined): string {
  if (!arms || !pairs) return 'Old sessions were deleted, so it is not known how many customers came.';
  const running = runningOf(arms);
  switch (verdict?.result) {
    case undefined:
      return `All customers get “${running[0]?.name}”: the test ended.`;
    case 'apart':
      return `${apartWords(verdict, running, pairs)} ${CAUTION}`;
    case 'sample_ratio_mismatch':
      return (
        `Do not compare the arms: “${short}” got fewer customers than its share. In 1 of 100 sound tests that is just luck. ` +
        'Ask a developer: do some pages skip the start of the flow, or lose customer ids?'
      );
    case 'too_few': {
      const waiting = firstLook(daysUntilEnough(running, days));
      return `${dayWords(plan)}No comparison before ${ENOUGH} customers in each arm.${waiting}`;
    }
    default:
      return openWords(openPair(pairs), plan, days);
  }
}

/** An experiment ends when the difference looks large, which chance helps. */
const CAUTION = 'A fresh win often looks too big: plan on the low end. Of 100 tests of equal arms, 5 name a winner.';

function apartWords({ better, worse, since }: NonNullable<Split['verdict']>, running: Arm[], pairs: Pair[]): string {
  const pair = pairs.find(({ a, b }) => a === better && b === worse);
  const than = running.length === 2 ? `“${worse}”` : 'each other arm';
  const range = pair?.saved ? ` ${rangeWords(pair)}` : '';
  return `Found on ${day(since!)}: “${better}” saves more customers than ${than}.${range}`;
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A difference of shares as customers of 100. */
const ofHundred = (difference: number): string => NUMBER.format(Math.abs(100 * difference));

/** Where the difference of two arms probably is: 3 fewer to 9 more. */
function rangeWords({ a, b, saved }: Pair): string {
  const [low, high] = saved!.interval;
  const from = low < 0 ? `${ofHundred(low)} fewer` : ofHundred(low);
  return `Of 100 customers, “${a}” may save ${from} to ${ofHundred(high)} more than “${b}”.`;
}

/** How far a plan is, before what is known. */
function dayWords(plan: Split['plan']): string {
  if (!plan) return '';
  return plan.over
    ? `The planned ${plan.days} days are up; the test still runs. `
    : `Day ${plan.day} of ${plan.days}. `;
}

/** What is open between two arms that are not apart, and what it would take. */
function openWords(pair: Pair, plan: Split['plan'], days: number | undefined): string {
  const { difference, interval } = pair.saved!;
  if (interval[0] > 0) return `${dayWords(plan)}${wordsOf(pair)} So neither is better.`;
  const said = `${dayWords(plan)}It is not clear which arm saves more. ${rangeWords(pair)}`;
  if (days === undefined) return said;
  if (plan?.over) return `${said} Choose the arm that costs you less, or let it run, which may take long.`;
  const more = difference <= 0 ? Infinity : daysUntilApart(pair.saved!, plan !== null, days);
  const lead = `If the true lead is ${ofHundred(difference)} of 100,`;
  if (plan && days + more > plan.days)
    return `${said} ${lead} expect no winner by day ${plan.days}. Let it run until then.`;
  if (more > MOST_DAYS) return `${said} As close as they are, more customers will hardly show a difference.`;
  return `${said} ${lead} a winner may show in about ${counted(Math.max(1, Math.ceil(more)), 'day')}, or not at all.`;
}

/** The arm that saves more than every other one that runs; undefined while there is none. */
export function winnerOf({ verdict }: Pick<Split, 'verdict'>): string | undefined {
  return verdict?.result === 'apart' ? (verdict.better ?? undefined) : undefined;
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

function firstLook(days: number | undefined): string {
  if (days === undefined) return '';
  if (days > MOST_DAYS) return ' At this traffic, that takes more than a year.';
  return ` At this traffic, a first look comes in ${counted(Math.max(1, Math.ceil(days)), 'day')}.`;
}

function daysUntilEnough(arms: Arm[], days: number | undefined): number | undefined {
  const fewest = Math.min(...arms.map(({ customers }) => customers));
  return fewest === 0 || days === undefined ? undefined : ((ENOUGH - fewest) / fewest) * days;
}

/** The pair with the largest difference of those that are not apart, or of all. */
function openPair(pairs: Pair[]): Pair {
  const open = pairs.filter(({ result }) => result !== 'apart');
  const of = open.length > 0 ? open : pairs;
  return of.reduce((most, pair) => (pair.saved!.difference > most.saved!.difference ? pair : most));
}

/**
 * How long it takes until 0 is outside of the interval of a difference, at the same shares. An interval gets narrower
 * with the square root of the customers; so does its bound, in a plan.
 */
function daysUntilApart(
  { difference, interval }: NonNullable<Pair['saved']>,
  isPlanned: boolean,
  days: number,
): number {
  const times = (difference - interval[0]) / difference;
  return ((isPlanned ? times : times ** 2) - 1) * days;
}
