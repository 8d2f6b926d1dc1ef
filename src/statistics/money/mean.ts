/**
 * What the saved customers of an arm are worth, each amount cut at the 99th percentile of all amounts of the experiment
 * in the currency; the others, 0.
 */
export interface CutWorth {
  currency: string | null;
  verified: boolean;
  /** How many have an amount, saved or not. */
  customers: number;
  sum: number;
  /** The sum of their squares. */
  squares: number;
}

/** With fewer, an interval would say more than they do. */
const ENOUGH = 100;
const ENOUGH_SAVED = 10;

/**
 * What is saved of a customer on average, and where that probably is with more of them. Without the cut, one large
 * customer would make equal arms look different.
 *
 * The interval is Wilson's, for amounts in place of shares: it has every mean that the counted one is within `z`
 * standard errors of, if what is saved of a customer varies with the mean as it does here. With amounts that are all
 * the same, it is that of the share who were saved.
 */
export function meanOf(
  cut: CutWorth | undefined,
  saved: number,
  z: number,
): { mean: number | null; interval: [number, number] | null } {
  if (!cut) return { mean: null, interval: null };
  const { customers, sum, squares } = cut;
  const mean = sum / customers;
  const rounded = (amount: number) => Math.round(amount * 100) / 100;
  if (customers < ENOUGH || saved < ENOUGH_SAVED || sum === 0) return { mean: rounded(mean), interval: null };
  const part = z ** 2 / customers;
  const middle = (mean + (part * squares) / sum / 2) / (1 + part);
  const away = Math.sqrt(Math.max(0, middle ** 2 - mean ** 2 / (1 + part)));
  return { mean: rounded(mean), interval: [rounded(middle - away), rounded(middle + away)] };
}
