import { groupBy } from '../common/group-by';
import type { SplitWay } from '../flows/flow-definition';
import type { Interval } from './interval';
import { intervalsOf, type Rates, ratesOf, type SessionCount, totalsOf } from './session-counts';

/** A split as a version of a flow has it. */
export interface SplitOfVersion {
  version: number;
  node_key: string;
  ways: SplitWay[];
}

/** The sessions that a split of a version sent one way. */
export interface WayCount extends SessionCount {
  version: number;
  node_key: string;
  /** The name of the way. */
  value: string;
}

export interface SplitNumbers {
  node_key: string;
  from_version: number;
  to_version: number;
  ways: WayNumbers[];
}

export interface WayNumbers {
  name: string;
  weight: number;
  sessions: number;
  saved: number;
  ended: number;
  save_rate: Rates;
  interval: Rates<Interval>;
}

/**
 * The numbers of the splits of a flow that sessions came to, by key, then oldest first. Versions are counted together only
 * while the split stays the same: names, weights and targets. What came under other weights can't be added up.
 */
export function splitsOf(counts: WayCount[], splits: SplitOfVersion[]): SplitNumbers[] {
  const countsOf = groupBy(counts, placeOf);
  return stretchesOf(splits.filter((split) => countsOf.has(placeOf(split)))).map((same) => {
    const own = same.flatMap((split) => countsOf.get(placeOf(split))!);
    return {
      node_key: same[0].node_key,
      from_version: same[0].version,
      to_version: same.at(-1)!.version,
      ways: same[0].ways.map((way) =>
        numbersOf(
          way,
          own.filter(({ value }) => value === way.name),
        ),
      ),
    };
  });
}

/** The splits by key and version, those together that stay the same from one version to the next. */
function stretchesOf(splits: SplitOfVersion[]): SplitOfVersion[][] {
  return [...groupBy(splits, ({ node_key }) => node_key)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, versions]) => {
      const stretches: SplitOfVersion[][] = [];
      for (const split of versions.toSorted((a, b) => a.version - b.version)) {
        const last = stretches.at(-1);
        if (last && isSame(last[0], split)) last.push(split);
        else stretches.push([split]);
      }
      return stretches;
    });
}

function isSame(one: SplitOfVersion, other: SplitOfVersion): boolean {
  const partsOf = ({ ways }: SplitOfVersion) =>
    JSON.stringify(ways.map(({ name, weight, next }) => [name, weight, next]));
  return partsOf(one) === partsOf(other);
}

function placeOf({ version, node_key }: SplitOfVersion | WayCount): string {
  return `${version} ${node_key}`;
}

function numbersOf({ name, weight }: SplitWay, counts: WayCount[]): WayNumbers {
  const { total, in_progress, saved } = totalsOf(counts);
  return {
    name,
    weight,
    sessions: total,
    saved,
    ended: total - in_progress,
    save_rate: ratesOf(counts),
    interval: intervalsOf(counts),
  };
}
