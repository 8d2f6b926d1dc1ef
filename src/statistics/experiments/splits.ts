import { groupBy } from '../../platform/common/group-by';
import { INT4_MAX } from '../../settings/readers';
import { armsIn, saltOf } from '../../flows/graph/draws';
import type { SplitArm, SplitNode } from '../../flows/graph/flow-definition';
import { PLANNED_DAYS } from '../../flows/graph/graph-limits';
import { dateOf, daysTo, midnightOf } from '../../platform/common/days';
import type { ArmNumbersDto, SplitNumbersDto, VerdictDto } from '../dto/counts.dto';
import { type ArmCount, intervalOf, liftOf, runningOf } from './experiment';
import { readingOf, type Verdict } from './reading';
import { customersIn, valueOfArm } from '../money/value';
import { type Lasting, lastingOf, ofScope } from '../lasting/lasting';
import type { ArmCustomers, DayChange, ExperimentScope } from './arm-customers';

/** A split as a version of a flow has it. */
export interface SplitOfVersion {
  flow_id: string;
  version: number;
  node_key: string;
  config: SplitNode['config'];
  /** The version that drew anew last; null if none did. */
  draw: number | null;
  /** When the version became the current one. */
  since: Date;
}

/** The versions of a flow in which a split had the same arms, the same salt and the same plan. */
export interface Experiment {
  flow_id: string;
  node_key: string;
  from_version: number;
  /** When the first of them became the current one. */
  since: Date;
  draw: number | null;
  /** The versions that sessions came to, oldest first. */
  versions: number[];
  /** The config in the last of these versions. */
  config: SplitNode['config'];
}

/** How many sessions came to an arm, with a customer (`arm`) and at all (`way`). */
interface ArrivalCount {
  kind: string;
  flow_id: string;
  version: number;
  node_key: string;
  /** The name of the arm. */
  value: string;
  sessions: number;
}

/**
 * The experiments among the splits that sessions came to, by key, then oldest first. Versions are counted together only
 * while the split stays the same: what came under other weights can't be added up.
 */
export function experimentsOf(splits: SplitOfVersion[]): Experiment[] {
  return [...groupBy(splits, ({ flow_id, node_key }) => `${node_key} ${flow_id}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, versions]) => {
      const experiments: Experiment[] = [];
      for (const { version, ...split } of versions.toSorted((a, b) => a.version - b.version)) {
        const last = experiments.at(-1);
        if (last && isSame(last, split)) {
          last.versions.push(version);
          last.config = split.config;
        } else experiments.push({ ...split, from_version: version, versions: [version] });
      }
      return experiments;
    });
}

/**
 * The versions that each experiment is counted in: until the next one at the same node begins, so those without the
 * split, too.
 */
export function scopesOf(experiments: Experiment[]): ExperimentScope[] {
  return experiments.map(({ flow_id, node_key, from_version }, index) => {
    const next = nextOf(experiments, index);
    return { flow_id, node_key, from_version, to_version: next ? next.from_version - 1 : INT4_MAX };
  });
}

/** The experiment that took the place of another one. */
function nextOf(experiments: Experiment[], index: number): Experiment | undefined {
  const { flow_id, node_key } = experiments[index];
  return experiments.slice(index + 1).find((other) => other.flow_id === flow_id && other.node_key === node_key);
}

/** Reads the versions before those of splits. Of each split, it reads at most `most`. */
type ReadEarlier = (
  splits: Pick<SplitOfVersion, 'flow_id' | 'version' | 'node_key'>[],
  most: number,
) => Promise<SplitOfVersion[]>;

/** Whether customers get more than one arm. */
export const isRunning = ({ ways }: SplitNode['config']): boolean => runningOf(ways).length > 1;

/** How many versions are read at once. */
const MOST_EARLIER = 20;

/** With the earlier versions of the oldest experiments, which may have begun before the sessions of a span. */
export async function withEarlier(splits: SplitOfVersion[], readEarlier: ReadEarlier): Promise<SplitOfVersion[]> {
  const all = [...splits];
  const oldest = [...groupBy(splits, ({ flow_id, node_key }) => `${node_key} ${flow_id}`).values()].map((versions) =>
    versions.reduce((first, split) => (split.version < first.version ? split : first)),
  );
  // A test that ended is of no more interest than its days.
  let open = oldest.filter(({ config }) => isRunning(config));
  while (open.length > 0) {
    const earlier = groupBy(await readEarlier(open, MOST_EARLIER), ({ flow_id, node_key }) => `${node_key} ${flow_id}`);
    open = open.flatMap((split) => {
      const found = (earlier.get(`${split.node_key} ${split.flow_id}`) ?? []).toSorted((a, b) => b.version - a.version);
      const other = found.findIndex((one) => !isSame(one, split));
      const same = other < 0 ? found : found.slice(0, other);
      all.push(...same);
      // Versions without the split may lie between, so only none at all is the end.
      return other < 0 && found.length > 0 ? [{ ...split, version: found.at(-1)!.version }] : [];
    });
  }
  return all;
}

/** What is counted of experiments. */
interface CountsOfSplits {
  customers: ArmCustomers[];
  lasting: Lasting;
  /** The sessions that came to the arms. */
  arrivals: ArrivalCount[];
  /** Whether nobody knows the customers of an experiment any more. */
  isDeleted: (experiment: Experiment) => boolean;
  /** The end of the counts. */
  until: Date;
  /** Whether that is now: a verdict by the counts of a time that was chosen would be found too easily. */
  isNow: boolean;
}

/** The numbers of experiments, of the customers and the sessions that came to their arms. */
export function numbersOfSplits(
  experiments: Experiment[],
  { customers, lasting, arrivals, isDeleted, until, isNow }: CountsOfSplits,
): (SplitNumbersDto & { flow_id: string })[] {
  const customersOf = groupBy(customers, (one) => keyOf(one, one.from_version));
  const arrivalsOf = groupBy(arrivals, (one) => keyOf(one, one.version));
  return experiments.map((experiment, index) => {
    const { flow_id, node_key, from_version, versions, since, config } = experiment;
    const place = { flow_id, node_key, from_version, to_version: versions.at(-1)!, since };
    if (isDeleted(experiment)) {
      return { ...place, plan: null, arms: null, pairs: null, verdict: null, short: null };
    }
    const came = versions.flatMap((version) => arrivalsOf.get(keyOf(experiment, version)) ?? []);
    const own = customersOf.get(keyOf(experiment, from_version)) ?? [];
    const lasts = ofScope(lasting, (scope) => keyOf(scope, scope.from_version) === keyOf(experiment, from_version));
    const { ways, planned_days = PLANNED_DAYS.usual } = config;
    const next = nextOf(experiments, index);
    const end = next && next.since < until ? next.since : until;
    const { plan, pairs, verdict, short, z } = readingOf(ways, daysOf(ways, own, since, end), planned_days);
    return {
      ...place,
      plan: isNow ? plan : null,
      arms: armsOf(ways, own, lasts, came, z),
      pairs,
      verdict: isNow && verdict ? verdictOn(since, verdict) : null,
      short: isNow ? short : null,
    };
  });
}

/** The counts of the arms by the end of each day since, up to the last midnight (UTC). */
function daysOf(ways: SplitArm[], customers: ArmCustomers[], since: Date, until: Date): ArmCount[][] {
  const first = Math.floor(daysTo(since));
  const count = Math.max(0, Math.floor(daysTo(until)) - first);
  const arms = ways.map(({ name, weight }): ArmCount & { changes: DayChange[][] } => {
    const changes = Array.from({ length: count }, (): DayChange[] => []);
    for (const change of customers.find(({ arm }) => arm === name)?.changes ?? []) {
      // A clock may have been behind.
      changes[Math.max(0, daysTo(new Date(change.day)) - first)]?.push(change);
    }
    return { name, weight, customers: 0, saved: 0, canceled: 0, changes };
  });
  return Array.from({ length: count }, (_, day) =>
    arms.map((arm): ArmCount => {
      for (const change of arm.changes[day]) {
        arm.customers += change.customers;
        arm.saved += change.saved;
        arm.canceled += change.canceled;
      }
      const { name, weight, customers: came, saved, canceled } = arm;
      return { name, weight, customers: came, saved, canceled };
    }),
  );
}

/** A verdict with the first day on which it could be read. */
function verdictOn(since: Date, { day, ...verdict }: Verdict): VerdictDto {
  return { ...verdict, since: day === null ? null : dateOf(midnightOf(Math.floor(daysTo(since)) + day)) };
}

const NOBODY: Pick<ArmCustomers, 'worth' | 'paid' | 'cut' | 'seen_once'> = {
  worth: [],
  paid: [],
  cut: [],
  seen_once: 0,
};

function armsOf(
  named: SplitArm[],
  customers: ArmCustomers[],
  lasting: Lasting,
  arrivals: ArrivalCount[],
  z: number,
): ArmNumbersDto[] {
  const arms = named.map(({ name, weight, control = false }) => {
    const { worth, paid, cut, seen_once } = customers.find(({ arm }) => arm === name) ?? NOBODY;
    const { total, saved, saved_by_offer, canceled, in_progress, abandoned } = customersIn(worth);
    const share = (part: number) => (total === 0 ? null : part / total);
    const sessions = (kind: string) =>
      arrivals.reduce((sum, one) => sum + (one.kind === kind && one.value === name ? one.sessions : 0), 0);
    return {
      name,
      weight,
      control,
      customers: total,
      in_progress,
      saved,
      saved_by_offer,
      canceled,
      abandoned,
      rates: { saved: share(saved), canceled: share(canceled) },
      interval: { saved: intervalOf(saved, total, z), canceled: intervalOf(canceled, total, z) },
      lasting: lastingOf(ofScope(lasting, ({ arm }) => arm === name)),
      value: valueOfArm(worth, paid, cut, z),
      without_customer: sessions('way') - sessions('arm'),
      seen_once,
    };
  });
  const control = arms.find((arm) => arm.control);
  return arms.map((arm) => ({ ...arm, lift: control && arm !== control ? liftOf(control, arm, z) : null }));
}

/** Whether every customer gets the same arm in both, with the same target and the same plan. */
function isSame(one: Drawn, other: Drawn): boolean {
  const saltIn = ({ node_key: key, config, draw }: Drawn) => saltOf({ key, config }, draw);
  return saltIn(one) === saltIn(other) && armsIn(one.config) === armsIn(other.config);
}

type Drawn = Pick<SplitOfVersion, 'node_key' | 'config' | 'draw'>;

function keyOf(
  { flow_id, node_key }: { flow_id: string | null; node_key: string | null },
  version: number | null,
): string {
  return `${flow_id} ${node_key} ${version}`;
}
