/** The normal distribution, to 14 digits. */

const SQRT_TAU = Math.sqrt(2 * Math.PI);

/** Farther out there is nothing that a sum of other values would show. */
const FAR = 12;

export const densityAt = (x: number): number => (x > FAR ? 0 : Math.exp((-x * x) / 2) / SQRT_TAU);

/** How probable a value above `x` is. Exact far out, too: by a series near 0, and by a continued fraction beyond. */
export function above(x: number): number {
  if (x < 0) return 1 - above(-x);
  if (x > 38) return 0;
  if (x > 4) {
    let rest = x;
    for (let term = 40; term > 0; term--) rest = x + term / rest;
    return densityAt(x) / rest;
  }
  let [sum, term] = [x, x];
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 - densityAt(x) * sum;
}

/** The value that is exceeded with a probability from 1e-300 to 0.5. */
export function exceededWith(probability: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (above(middle) > probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
