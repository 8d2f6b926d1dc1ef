import type { Declaration } from './declaration.entity';

const DAY_MS = 24 * 60 * 60_000;
/** The money of a withdrawal goes back within 14 days (Directive 2011/83/EU, Article 13). */
const REFUND_DAYS = 14;

/** When something is due; null: as soon as possible. */
export function dueAt({ kind, when, created_at }: Pick<Declaration, 'kind' | 'when' | 'created_at'>): Date | null {
  if (kind === 'withdrawal') return new Date(created_at.getTime() + REFUND_DAYS * DAY_MS);
  const day = new Date(`${when}T00:00:00Z`);
  // JavaScript reads 31 February as 3 March. Customers may write any other text, too.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === when;
  return isDay ? day : null;
}
