import { money } from '../ui/format';

/** What saved customers are worth a month in one currency, before discounts. */
export interface Worth {
  /** null: estimated. */
  currency: string | null;
  saved: number;
}

/** By currency: amounts in different ones are never added up. */
export function worthOfSaved(value: Worth[] | null): Worth[] {
  const sums = new Map<string | null, number>();
  for (const { currency, saved } of value ?? []) sums.set(currency, (sums.get(currency) ?? 0) + saved);
  return [...sums].map(([currency, saved]) => ({ currency, saved }));
}

/** What is left of it in the year from each save; – if nothing is known, or not of each offer. */
export function netWords(value: { currency: string | null; net: number | null }[] | null): string {
  if (!value || value.some(({ net }) => net === null)) return '–';
  return worthWords(value.map(({ currency, net }) => ({ currency, saved: net! })));
}

/** €1,234.50 + $20.00; – if nothing is known. */
export function worthWords(value: Worth[] | null): string {
  return (
    worthOfSaved(value)
      .map(({ currency, saved }) => money(saved, currency))
      .join(' + ') || '–'
  );
}
