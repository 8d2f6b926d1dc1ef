import type { FlowStats } from '@retention-flow/client';
import { money } from '../ui/format';

/** What saved customers are worth a month in one currency. */
export interface Kept {
  /** null: estimated. */
  currency: string | null;
  saved: number;
}

/** By currency: amounts in different ones are never added up. */
export function keptIn(value: FlowStats['value']): Kept[] {
  const sums = new Map<string | null, number>();
  for (const { currency, saved } of value ?? []) sums.set(currency, (sums.get(currency) ?? 0) + saved);
  return [...sums].map(([currency, saved]) => ({ currency, saved }));
}

/** €1,234.50 + $20.00; – if nothing is known. */
export function keptWords(value: FlowStats['value']): string {
  return (
    keptIn(value)
      .map(({ currency, saved }) => money(saved, currency))
      .join(' + ') || '–'
  );
}
