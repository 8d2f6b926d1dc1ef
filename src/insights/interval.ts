/** Where a share probably is: with a confidence of 95 %, from the first value to the second. */
export type Interval = [low: number, high: number];

/** The quantile of the normal distribution at 97.5 %. */
const Z = 1.959963984540054;

/**
 * The 95 % confidence interval of the share of a part in a whole, by Wilson's score: good for small numbers too, and never
 * outside 0 to 1. Null if the whole is 0.
 */
export function intervalOf(part: number, whole: number): Interval | null {
  if (whole === 0) return null;
  const share = part / whole;
  const weight = 1 + Z ** 2 / whole;
  const center = (share + Z ** 2 / (2 * whole)) / weight;
  const reach = (Z / weight) * Math.sqrt((share * (1 - share)) / whole + Z ** 2 / (4 * whole ** 2));
  // Exact at the ends, where rounding would leave a little more or less.
  return [part === 0 ? 0 : center - reach, part === whole ? 1 : center + reach];
}
