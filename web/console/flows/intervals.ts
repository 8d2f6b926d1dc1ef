import type { FlowStats } from '@retention-flow/client';

export type Way = FlowStats['splits'][number]['ways'][number];

type Rated = Pick<Way, 'name' | 'interval'>;

/** What the 95 % intervals of a split's ways say of their difference. */
export function verdict(ways: Rated[]): string {
  const known = ways.flatMap(({ name, interval: { accepted_offer: interval } }) =>
    interval ? [{ name, interval }] : [],
  );
  if (known.length < 2) return 'Fewer than two ways have sessions that ended, so there is nothing to compare yet.';
  const [best, ...others] = known.toSorted((a, b) => b.interval[0] - a.interval[0]);
  if (others.every(({ interval: [, high] }) => high < best.interval[0])) {
    return `“${best.name}” saves more than ${others.length === 1 ? `“${others[0].name}”` : 'every other way'}: the intervals do not overlap.`;
  }
  const isApart = known.some((a) => known.some((b) => a.interval[1] < b.interval[0]));
  return isApart
    ? 'Some ways differ, but the best is not certain: its interval overlaps with another.'
    : 'No difference is shown yet: the intervals overlap.';
}

/** Of how much a share is a part, in words: a weight of 1 among 1 and 3 is 25%. */
export function weightShare(way: Pick<Way, 'weight'>, ways: Pick<Way, 'weight'>[]): number | null {
  const whole = ways.reduce((sum, { weight }) => sum + weight, 0);
  return whole === 0 ? null : way.weight / whole;
}
