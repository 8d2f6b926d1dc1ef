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
 * What is saved of a customer on average, and where that probably is with more of them: the mean, and `z` standard
 * errors to each side of it. Without the cut, one large customer would make equal arms look different.
 */
export function meanOf(
  cut: CutWorth | undefined,
  saved: number,
  z: number,
): { mean: number | null; interval: [number, number] | null } {
  if (!cut) return { mean: null, interval: null };
  const { customers, sum, squares } = cut;
  const mean = sum / customers;
  const rounded = (amount: number) => Math.round(Math.max(0, amount) * 100) / 100;
  if (customers < ENOUGH || saved < ENOUGH_SAVED) return { mean: rounded(mean), interval: null };
  const error = Math.sqrt(Math.max(0, squares / customers - mean ** 2) / (customers - 1));
  return { mean: rounded(mean), interval: [rounded(mean - z * error), rounded(mean + z * error)] };
}
