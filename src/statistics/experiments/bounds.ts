import { above, densityAt, exceededWith } from './normal';

/** Nothing is as far apart as a larger bound. Intervals are of this size before the first one. */
export const MAX_BOUND = 8;
/** A day with a smaller part of all customers is no look of its own: the integration would not see it. */
const LEAST_GROWTH = 0.008;

/** A sum of differences where it may be, with its probability. */
interface Place {
  at: number;
  mass: number;
}

/**
 * What a plan may have spent by the end of each of its days of the chance that equal arms are called apart: little at
 * first, as O'Brien and Fleming do, on both sides together.
 */
export function spendingOf(days: number, level: number): number[] {
  const edge = exceededWith(level / 2);
  return Array.from({ length: days }, (_, day) => 2 * above(edge * Math.sqrt(days / (day + 1))));
}

/**
 * How many standard errors two arms must be apart at the end of each day of a plan, so that looking every day does not
 * find what is not there: alpha spending (Lan and DeMets, Biometrika 70, 1983). The bounds come from the customers who
 * had come by then, so that growing traffic does not find more.
 *
 * @param customers of all arms, by the end of each day so far
 * @param spending by the end of each day
 * @returns null for days on which nothing is apart, whatever the numbers
 */
export function plannedBounds(customers: number[], spending: number[]): (number | null)[] {
  // The sums that were never beyond a bound, as far as they are above 0. Below, they are alike.
  let places: Place[] = [{ at: 0, mass: 0.5 }];
  let [spent, seen, bound] = [0, 0, 0];
  return customers.slice(0, spending.length).map((came, day) => {
    const allowed = spending[day] - spent;
    if (came > seen * (1 + LEAST_GROWTH) && allowed >= 2 * above(MAX_BOUND)) {
      const growth = came - seen;
      bound = boundFor(allowed, places, growth, exceededWith(allowed / 2) * Math.sqrt(came));
      places = placesAfter(places, growth, bound);
      [spent, seen] = [spending[day], came];
    }
    return bound === 0 ? null : bound / Math.sqrt(seen);
  });
}

/** Where sums are within a bound after more customers: a Brownian motion, whose time is customers. */
function placesAfter(places: Place[], growth: number, bound: number): Place[] {
  return POINTS.map((point) => {
    const at = bound * point.at;
    return { at, mass: bound * point.weight * densityAfter(places, growth, at) };
  });
}

function densityAfter(places: Place[], growth: number, sum: number): number {
  const spread = Math.sqrt(growth);
  const sides = (at: number) => densityAt((sum - at) / spread) + densityAt((sum + at) / spread);
  return places.reduce((density, { at, mass }) => density + mass * sides(at), 0) / spread;
}

/** The bound that is passed with the probability that is allowed, by Newton's method on logarithms. */
function boundFor(allowed: number, places: Place[], growth: number, start: number): number {
  const spread = Math.sqrt(growth);
  let bound = start;
  for (let step = 0; step < 20; step++) {
    const sides = (at: number) => above((bound - at) / spread) + above((bound + at) / spread);
    const chance = 2 * places.reduce((sum, { at, mass }) => sum + mass * sides(at), 0);
    const change = (Math.log(chance / allowed) * chance) / (2 * densityAfter(places, growth, bound));
    bound += change;
    if (Math.abs(change) < 1e-9 * bound) break;
  }
  return bound;
}

/**
 * How many standard errors two arms must be apart, however often and long they are looked at: an asymptotic confidence
 * sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024, theorem 2.2 and its
 * appendix on tuning).
 *
 * @param tightest the number of customers for which it is smallest: it must not depend on what they decide
 */
export function alwaysValidBound(customers: number, tightest: number, level: number): number {
  const log = -2 * Math.log(level);
  const part = ((log + Math.log(log + 1)) * customers) / tightest;
  return Math.sqrt(2 * (1 + 1 / part) * Math.log(Math.sqrt(part + 1) / level));
}

/** The points and weights of Gauss and Legendre between 0 and 1 (NIST, https://dlmf.nist.gov/3.5#v). */
const POINTS = pointsOf(64);

function pointsOf(count: number): { at: number; weight: number }[] {
  return Array.from({ length: count }, (_, index) => {
    let x = Math.cos((Math.PI * (index + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let step = 0; step < 10; step++) {
      let [value, before] = [x, 1];
      for (let degree = 2; degree <= count; degree++) {
        [value, before] = [((2 * degree - 1) * x * value - (degree - 1) * before) / degree, value];
      }
      slope = (count * (x * value - before)) / (x ** 2 - 1);
      x -= value / slope;
    }
    return { at: (1 + x) / 2, weight: 1 / ((1 - x ** 2) * slope ** 2) };
  });
}
