import { groupBy } from '../../platform/common/group-by';
import { INT4_MAX } from '../../settings/readers';
import type { SplitArm, SplitNode } from '../../flows/graph/flow-definition';
import type { ArmNumbersDto, SplitNumbersDto } from '../dto/counts.dto';
import { intervalOf, liftOf, pairsOf, verdictOf, zOf } from './experiment';
import { NO_CUSTOMERS } from '../session-counts';
import { type LastingCount, lastingOf } from '../lasting';
import type { ArmCustomers, ExperimentScope } from './arm-customers';

/** A split as a version of a flow has it. */
export interface SplitOfVersion {
  flow_id: string;
  version: number;
  node_key: string;
  config: SplitNode['config'];
}

/** The versions of a flow in which a split had the same arms and the same salt. */
export interface Experiment {
  flow_id: string;
  node_key: string;
  from_version: number;
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
    const next = experiments.slice(index + 1).find((other) => other.flow_id === flow_id && other.node_key === node_key);
    return { flow_id, node_key, from_version, to_version: next ? next.from_version - 1 : INT4_MAX };
  });
}

/**
 * The numbers of experiments, of the customers and the sessions that came to their arms. Nobody knows the customers of
 * flows in `deleted`.
 */
export function numbersOfSplits(
  experiments: Experiment[],
  customers: ArmCustomers[],
  lasting: LastingCount[],
  arrivals: ArrivalCount[],
  deleted: Set<string>,
): (SplitNumbersDto & { flow_id: string })[] {
  const customersOf = groupBy(customers, (one) => keyOf(one, one.from_version));
  const lastingOfArms = groupBy(lasting, (one) => keyOf(one, one.from_version));
  const arrivalsOf = groupBy(arrivals, (one) => keyOf(one, one.version));
  return experiments.map((experiment) => {
    const { flow_id, node_key, from_version, versions, config } = experiment;
    const came = versions.flatMap((version) => arrivalsOf.get(keyOf(experiment, version)) ?? []);
    const own = deleted.has(flow_id) ? null : (customersOf.get(keyOf(experiment, from_version)) ?? []);
    const lasts = lastingOfArms.get(keyOf(experiment, from_version)) ?? [];
    const arms = own && armsOf(config.ways, own, lasts, came);
    const pairs = arms && pairsOf(arms);
    const verdict = pairs && verdictOf(pairs);
    return { flow_id, node_key, from_version, to_version: versions.at(-1)!, arms, pairs, verdict };
  });
}

function armsOf(
  named: SplitArm[],
  customers: ArmCustomers[],
  lasting: LastingCount[],
  arrivals: ArrivalCount[],
): ArmNumbersDto[] {
  const z = zOf(named);
  const arms = named.map(({ name, weight, control = false }) => {
    const { total, saved, saved_by_offer, canceled, in_progress, abandoned, seen_once, value } = customers.find(
      ({ arm }) => arm === name,
    ) ?? { ...NO_CUSTOMERS, seen_once: 0, value: [] };
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
      lasting: lastingOf(lasting.filter(({ arm }) => arm === name)),
      value,
      without_customer: sessions('way') - sessions('arm'),
      seen_once,
    };
  });
  const control = arms.find((arm) => arm.control);
  return arms.map((arm) => ({ ...arm, lift: control && arm !== control ? liftOf(control, arm, z) : null }));
}

/** Whether every customer gets the same arm in both, with the same target. The order of the arms moves nobody. */
function isSame(one: Pick<Experiment, 'config' | 'node_key'>, other: Pick<Experiment, 'config' | 'node_key'>): boolean {
  const partsOf = ({ node_key, config: { ways: arms, salt = node_key } }: Pick<Experiment, 'config' | 'node_key'>) =>
    JSON.stringify([
      salt,
      ...arms
        .map(({ name, weight, next, control = false }) => JSON.stringify([name, weight, next, control]))
        .toSorted(),
    ]);
  return partsOf(one) === partsOf(other);
}

function keyOf(
  { flow_id, node_key }: { flow_id: string | null; node_key: string | null },
  version: number | null,
): string {
  return `${flow_id} ${node_key} ${version}`;
}
