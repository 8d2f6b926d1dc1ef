import { type ArmCount, pairsOf, verdictOf } from '../../src/statistics/experiments/experiment';

/** How many experiments are simulated: fewer of those with many arms, which take longer. */
const ARMS_IN_ALL = 8000;
/** Of each arm. */
const CUSTOMERS_A_DAY = 40;

/** What becomes of a customer who came: the chances to be saved and to cancel. The others close the window. */
interface Chances {
  saved: number;
  canceled: number;
}

const USUAL: Chances = { saved: 0.33, canceled: 0.5 };

interface Experiment {
  arms: Chances[];
  days: number;
  /** Of each arm; all the same, unless given. */
  weights?: number[];
  /** Of all arms together. */
  customersADay?: number;
  /** The chance of each arm to get a customer, if it isn't that of its weight. */
  shares?: number[];
}

/** How often a result is seen in an experiment that is looked at daily, and that ends with it or with its last day. */
function seen(result: string, { arms, days, weights = arms.map(() => 1), ...chance }: Experiment): number {
  const { customersADay = CUSTOMERS_A_DAY * arms.length } = chance;
  const experiments = Math.round(ARMS_IN_ALL / arms.length);
  const whole = weights.reduce((sum, weight) => sum + weight);
  const shares = chance.shares ?? weights.map((weight) => weight / whole);
  const random = generator(arms.length * 100 + days);
  let times = 0;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const counts = arms.map((_, index): ArmCount => ({
      name: `${index}`,
      weight: weights[index],
      customers: 0,
      saved: 0,
      canceled: 0,
    }));
    for (let day = 0; day < days; day++) {
      for (const [index, chances] of arms.entries()) {
        const came = drawn(customersADay, shares[index], random);
        come(counts[index], came, chances, random);
      }
      if (verdictOf(pairsOf(counts))!.result === result) {
        times++;
        break;
      }
    }
  }
  return times / experiments;
}

function come(count: ArmCount, customers: number, { saved, canceled }: Chances, random: () => number): void {
  const ofSaved = drawn(customers, saved, random);
  count.customers += customers;
  count.saved += ofSaved;
  count.canceled += drawn(customers - ofSaved, canceled / (1 - saved), random);
}

/** By number and chance, how probable each number or a smaller one is. */
const distributions = new Map<string, number[]>();

/** How many of so many take their chance: binomially distributed. */
function drawn(whole: number, chance: number, random: () => number): number {
  // Of many, the chance that nobody does would be too small for a number.
  if (chance > 0.5) return whole - drawn(whole, 1 - chance, random);
  const key = `${whole} ${chance}`;
  const distribution = distributions.get(key) ?? distributionOf(whole, chance);
  distributions.set(key, distribution);
  const at = random();
  return distribution.findIndex((upTo) => at < upTo);
}

function distributionOf(whole: number, chance: number): number[] {
  let one = (1 - chance) ** whole;
  let upTo = 0;
  const distribution = Array.from({ length: whole + 1 }, (_, part) => {
    upTo += one;
    one *= ((whole - part) / (part + 1)) * (chance / (1 - chance));
    return upTo;
  });
  return [...distribution.slice(0, -1), 1];
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('An experiment that is looked at daily', () => {
  it.each([2, 3, 5, 10])('for 30 days says of %i equal arms in fewer than 5 %% that they differ', (arms) => {
    expect(seen('apart', { arms: Array.from({ length: arms }, () => USUAL), days: 30 })).toBeLessThan(0.05);
  });

  it.each([
    [50, 50],
    [80, 20],
    [90, 10],
    [95, 5],
    [99, 1],
    [80, 10, 10],
    [91, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  ])('for 30 days says so of equal arms of any weights in fewer than 5 %%, too: %i, %i …', (...weights) => {
    const arms = weights.map(() => USUAL);
    expect(seen('apart', { arms, weights, days: 30, customersADay: 1000 })).toBeLessThan(0.05);
  });

  it.each([2, 10])('for 60 days says of %i equal arms in fewer than 7 %% that they differ', (arms) => {
    expect(seen('apart', { arms: Array.from({ length: arms }, () => USUAL), days: 60 })).toBeLessThan(0.07);
  });

  it('is not misled by an arm whose window is closed more often, if it saves as many', () => {
    const left = { saved: USUAL.saved, canceled: 0.1 };
    expect(seen('apart', { arms: [USUAL, left], days: 30 })).toBeLessThan(0.05);
  });

  it('finds a difference of ten points within 30 days in more than 95 %', () => {
    const better = { saved: USUAL.saved + 0.1, canceled: USUAL.canceled - 0.1 };
    expect(seen('apart', { arms: [USUAL, better], days: 30 })).toBeGreaterThan(0.95);
  });

  it('says in most cases within 30 days that a fifth of the customers of an arm is missing', () => {
    const shares = [0.5, 0.4];
    expect(seen('sample_ratio_mismatch', { arms: [USUAL, USUAL], days: 30, shares })).toBeGreaterThan(0.95);
  });

  it('says in fewer than 3 % that customers are missing when none is', () => {
    expect(seen('sample_ratio_mismatch', { arms: [USUAL, USUAL], days: 30 })).toBeLessThan(0.03);
  });
});
