import { percent } from './format';

const SIGNED = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** How much more a number is than before, in words: 12% more. Undefined if there was nothing before. */
export function changeOf(now: number | null, before: number | null): string | undefined {
  if (now === null || !before) return undefined;
  const change = percent(Math.abs(now / before - 1));
  return change === '0%' ? 'as much as' : `${change} ${now > before ? 'more' : 'less'} than`;
}

/**
 * How many percentage points higher a share is than before, in words: 3.1 points higher. Undefined without one of them.
 */
export function pointsOf(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null) return undefined;
  const points = POINTS.format(100 * Math.abs(now - before));
  if (points === '0') return 'the same as';
  return `${points} ${points === '1' ? 'point' : 'points'} ${now > before ? 'higher' : 'lower'} than`;
}

/** A difference of shares in percentage points, with its sign: −12 points. */
export function points(difference: number): string {
  return `${SIGNED.format(100 * difference)} points`;
}
