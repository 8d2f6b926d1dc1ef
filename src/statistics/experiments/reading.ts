import { alwaysValidBound, MAX_BOUND, plannedBounds, spendingOf } from './bounds';
import { type ArmCount, type Finding, findingOf, type Pair, pairsOf, runningOf, shortArmOf } from './experiment';

/** The chance of calling equal arms apart: until the end of the plan, after it, and where nobody plans. */
interface Levels {
  planned: number;
  afterwards: number;
  unplanned: number;
}

/** 5 % in all. */
const APART: Levels = { planned: 0.04, afterwards: 0.01, unplanned: 0.05 };
/**
 * That customers are called missing, of whom none is: once over the plan, and once over all time, which finds at once
 * that very many are. 1 % in all.
 */
const MISMATCH = 0.005;
/** The number of customers for which what is always valid is tightest, where no plan says another. */
const TIGHTEST = 1000;

/** How far a planned experiment is. */
export interface Plan {
  days: number;
  /** The whole days that were read: 0 on the first. */
  day: number;
  /** How many standard errors the arms must be apart; null if nothing can be apart yet. */
  bound: number | null;
  over: boolean;
}

export interface Verdict extends Finding {
  /** The rule by which it was found, or is looked for. */
  method: 'planned' | 'always_valid';
  /** The number of whole days after which it was found; null while there is none. It stays from then on. */
  day: number | null;
}

/** What is read from the whole days of an experiment. */
export interface Reading {
  plan: Plan | null;
  pairs: Pair[];
  /** null with fewer than two arms that run. */
  verdict: Verdict | null;
  /** The arm that is short, if customers are missing. */
  short: string | null;
  /** How many standard errors an interval is wide, to each side. */
  z: number;
}

/**
 * Reads an experiment. It says the same however often it is read: only whole days count, and what was found stays.
 *
 * @param days the counts of all arms by the end of each whole day since they began
 * @param plannedDays null: nobody plans, so that it may be read for as long as one likes
 */
export function readingOf(
  arms: Pick<ArmCount, 'name' | 'weight'>[],
  days: ArmCount[][],
  plannedDays: number | null,
): Reading {
  const running = runningOf(arms).length;
  const customers = days.map((counts) => runningOf(counts).reduce((sum, arm) => sum + arm.customers, 0));
  const bounds = boundsOf(customers, plannedDays, APART);
  const bound = bounds.at(-1) ?? null;
  const z = bound ?? MAX_BOUND;
  const day = days.length;
  const plan = plannedDays === null ? null : { days: plannedDays, day, bound, over: day >= plannedDays };
  if (running < 2) return { plan, pairs: [], verdict: null, short: null, z };
  const methodOn = (index: number) =>
    plannedDays !== null && index < plannedDays ? ('planned' as const) : ('always_valid' as const);
  const mismatched = mismatchIn(days, customers, plannedDays);
  const apart = days.findIndex((counts, index) => {
    const wide = bounds[index];
    return wide !== null && findingOf(counts, wide).result === 'apart';
  });
  const latest = days.at(-1) ?? arms.map(({ name, weight }) => ({ name, weight, customers: 0, saved: 0, canceled: 0 }));
  const ofPairs =
    running === 2 ? z : (boundsOf(customers, plannedDays, shared(APART, pairsIn(running))).at(-1) ?? MAX_BOUND);
  const verdict = (): Verdict => {
    if (mismatched) {
      const found = { result: 'sample_ratio_mismatch', better: null, worse: null } as const;
      return { ...found, method: methodOn(mismatched.index), day: mismatched.index + 1 };
    }
    if (apart >= 0) return { ...findingOf(days[apart], bounds[apart]!), method: methodOn(apart), day: apart + 1 };
    const { result } = findingOf(latest, z);
    // What is apart on a day without customers was not apart on the day before.
    const open = result === 'too_few' ? result : 'not_apart';
    return { result: open, better: null, worse: null, method: methodOn(Math.max(0, day - 1)), day: null };
  };
  return {
    plan,
    pairs: pairsOf(latest, ofPairs, mismatched !== undefined),
    verdict: verdict(),
    short: mismatched?.short ?? null,
    z,
  };
}

/** The first day by which customers were missing, and the arm that is short of them. */
function mismatchIn(
  days: ArmCount[][],
  customers: number[],
  plannedDays: number | null,
): { index: number; short: string } | undefined {
  const running = days.length === 0 ? 0 : runningOf(days[0]).length;
  // Of two arms, one has what the other lacks.
  const level = MISMATCH / (running === 2 ? 1 : running);
  const planned = plannedDays === null ? [] : remembered(customers, plannedDays, level);
  const index = days.findIndex((counts, day) => {
    const always = alwaysValidBound(customers[day], TIGHTEST / 2, level);
    return customers[day] > 0 && shortArmOf(counts, Math.min(always, planned[day] ?? MAX_BOUND)) !== null;
  });
  return index < 0 ? undefined : { index, short: shortArmOf(days[index], 0)! };
}

const pairsIn = (arms: number): number => (arms * (arms - 1)) / 2;

const shared = ({ planned, afterwards, unplanned }: Levels, by: number): Levels => ({
  planned: planned / by,
  afterwards: afterwards / by,
  unplanned: unplanned / by,
});

/** How many standard errors two arms must be apart at the end of each day; null where nothing can be. */
function boundsOf(customers: number[], plannedDays: number | null, levels: Levels): (number | null)[] {
  const planned = plannedDays === null ? [] : remembered(customers, plannedDays, levels.planned);
  return customers.map((came, day) => {
    if (plannedDays !== null && day < plannedDays) return planned[day];
    // The plan's customers: what they decide says nothing about how many they are.
    const [tightest, level] =
      plannedDays === null ? [TIGHTEST, levels.unplanned] : [customers[plannedDays - 1], levels.afterwards];
    const bound = came === 0 ? MAX_BOUND : alwaysValidBound(came, Math.max(1, tightest), level);
    return bound >= MAX_BOUND ? null : bound;
  });
}

/** Until midnight, an experiment has the same bounds whenever it is read, and they take some 20 ms. */
const recent = new Map<string, (number | null)[]>();
const MOST_RECENT = 500;

function remembered(customers: number[], days: number, level: number): (number | null)[] {
  const key = [level, days, ...customers.slice(0, days)].join(' ');
  const bounds = recent.get(key) ?? plannedBounds(customers, spendingOf(days, level));
  for (const oldest of [...recent.keys()].slice(0, Math.max(0, recent.size - MOST_RECENT))) recent.delete(oldest);
  recent.set(key, bounds);
  return bounds;
}
