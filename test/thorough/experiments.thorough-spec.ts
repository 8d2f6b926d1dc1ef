import { readingOf } from '../../src/statistics/experiments/reading';
import { meanOf } from '../../src/statistics/money/mean';
import type { ArmCount } from '../../src/statistics/experiments/experiment';

/** Of each arm, unless told otherwise. */
const CUSTOMERS_A_DAY = 40;

/** What becomes of a customer who came: the chances to be saved and to cancel. The others close the window. */
interface Chances {
  saved: number;
  canceled: number;
}

const USUAL: Chances = { saved: 0.33, canceled: 0.5 };
const saving = (saved: number): Chances => ({ saved, canceled: 0.85 - saved });

interface Experiment {
  arms: Chances[];
  /** How long it is looked at. */
  days: number;
  /** null: nobody plans. */
  planned?: number | null;
  /** Of each arm; all the same, unless given. */
  weights?: number[];
  /** Of all arms together, on each day. */
  traffic?: (day: number) => number;
  /** The chance of each arm to get a customer, if it isn't that of its weight. */
  shares?: number[];
  /** The part of all customers who come back and decide anew on a later day. */
  returning?: number;
  experiments?: number;
}

/** How often a verdict is reached in an experiment that is looked at daily. */
function found(result: string, { arms, days, weights = arms.map(() => 1), ...more }: Experiment): number {
  const { planned = 30, traffic = () => CUSTOMERS_A_DAY * arms.length, returning = 0, experiments = 4000 } = more;
  const whole = weights.reduce((sum, weight) => sum + weight);
  const shares = more.shares ?? weights.map((weight) => weight / whole);
  const random = generator(arms.length * 1000 + days);
  let times = 0;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const counts = weights.map((weight, index): ArmCount => {
      return { name: `${index}`, weight, customers: 0, saved: 0, canceled: 0 };
    });
    const read: ArmCount[][] = [];
    for (let day = 0; day < days; day++) {
      let [left, rest] = [Math.round(traffic(day)), 1];
      for (const [index, chances] of arms.entries()) {
        // Of all who come, each is of one arm: so many come on a day, whatever chance does.
        const came = index === arms.length - 1 ? left : drawn(left, Math.min(1, shares[index] / rest), random);
        [left, rest] = [left - came, rest - shares[index]];
        come(counts[index], came, chances, random);
        if (returning > 0) decideAnew(counts[index], returning, chances, random);
      }
      read.push(counts.map((count) => ({ ...count })));
    }
    if (readingOf(counts, read, planned).verdict!.result === result) times++;
  }
  return times / experiments;
}

/** Some of those who came decide once more. */
function decideAnew(count: ArmCount, part: number, chances: Chances, random: () => number): void {
  const again = { saved: drawn(count.saved, part, random), canceled: drawn(count.canceled, part, random) };
  count.saved -= again.saved;
  count.canceled -= again.canceled;
  const { customers } = count;
  come(count, again.saved + again.canceled, chances, random);
  count.customers = customers;
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
  const equal = (count: number) => Array.from({ length: count }, () => USUAL);
  const error = (experiment: Experiment) => found('apart', experiment);

  it.each([2, 3, 5, 10])('says of %i equal arms in at most 4 %% by the end of its plan that one is better', (arms) => {
    expect(error({ arms: equal(arms), days: 30 })).toBeLessThan(0.045);
  });

  it.each([2, 3])('says so of %i equal arms in at most 5 %% within a year', (arms) => {
    expect(error({ arms: equal(arms), days: 365, experiments: 2000 })).toBeLessThan(0.055);
  });

  it.each([
    [50, 50],
    [90, 10],
    [99, 1],
    [80, 10, 10],
    [91, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  ])('says so of equal arms of any weights in at most 4 %%, too: %i, %i …', (...weights) => {
    expect(
      error({ arms: equal(weights.length), weights, days: 30, traffic: () => 1000, experiments: 2000 }),
    ).toBeLessThan(0.05);
  });

  it.each<[string, (day: number) => number]>([
    ['grows tenfold', (day) => 20 * 10 ** (day / 29)],
    ['falls to a tenth', (day) => 200 * 10 ** (-day / 29)],
    ['comes late', (day) => (day < 20 ? 4 : 300)],
    ['comes on one day', (day) => (day === 7 ? 3000 : 10)],
  ])('says so in at most 4 %% if its traffic %s', (_, traffic) => {
    expect(error({ arms: equal(2), days: 30, traffic })).toBeLessThan(0.05);
  });

  it.each([7, 14, 90])('says so in at most 4 %% with a plan of %i days', (planned) => {
    expect(error({ arms: equal(2), days: planned, planned, experiments: 3000 })).toBeLessThan(0.05);
  });

  it.each([90, 365])('says so in at most 5 %% within %i days that nobody plans', (days) => {
    expect(error({ arms: equal(2), days, planned: null, experiments: 2000 })).toBeLessThan(0.055);
  });

  it('says so in at most 5 % if customers come back and decide anew', () => {
    expect(error({ arms: equal(2), days: 30, returning: 0.01 })).toBeLessThan(0.05);
  });

  it('says so in at most 5 % of the two best arms if a third one is much worse', () => {
    expect(error({ arms: [USUAL, USUAL, saving(0.1)], days: 30 })).toBeLessThan(0.05);
  });

  it('is not misled by an arm whose window is closed more often, if it saves as many', () => {
    expect(error({ arms: [USUAL, { saved: USUAL.saved, canceled: 0.1 }], days: 30 })).toBeLessThan(0.05);
  });

  it.each<[string, Chances[], number]>([
    ['10 against 15 %', [saving(0.1), saving(0.15)], 775],
    ['50 against 55 %', [saving(0.5), saving(0.55)], 1785],
  ])('finds %s in 80 %% of cases with the customers that the documents say', (_, arms, customers) => {
    const power = error({ arms, days: 30, traffic: () => (2 * customers) / 30 });
    expect([power > 0.78, power < 0.82, power]).toEqual([true, true, power]);
  });

  it('finds the best of three arms about as often as the better of two', () => {
    const [one, two, three] = [saving(0.1), saving(0.1), saving(0.15)];
    const traffic = (arms: number) => () => (arms * 775) / 30;
    const [ofTwo, ofThree] = [
      [one, three],
      [one, two, three],
    ].map((arms) => error({ arms, days: 30, traffic: traffic(arms.length) }));
    expect(ofThree).toBeGreaterThan(ofTwo - 0.15);
  });

  it('says in most cases within 30 days that a fifth of the customers of an arm is missing', () => {
    const [shares, traffic] = [[5 / 9, 4 / 9], () => 72];
    expect(found('sample_ratio_mismatch', { arms: equal(2), days: 30, shares, traffic })).toBeGreaterThan(0.95);
  });

  it('says in fewer than 1 % within a year that customers are missing when none is', () => {
    expect(found('sample_ratio_mismatch', { arms: equal(2), days: 365, experiments: 2000 })).toBeLessThan(0.015);
    const weights = [97, 1, 2];
    expect(
      found('sample_ratio_mismatch', { arms: equal(3), weights, days: 60, traffic: () => 500, experiments: 2000 }),
    ).toBeLessThan(0.015);
  });
});

describe('The money that an arm keeps of a customer', () => {
  it.each([
    [100, 0.5],
    [200, 0.1],
    [1000, 0.1],
    [1000, 0.3],
  ])('is in its interval mostly: %i customers, of whom a part of %d is saved', (customers, saved) => {
    const random = generator(customers);
    const amount = () => Math.exp(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    // The 99th percentile of a lognormal amount.
    const most = Math.exp(2.326348);
    const truth = saved * mean(Array.from({ length: 500_000 }, () => Math.min(most, amount())));
    const covered = (z: number) => {
      const intervals = Array.from({ length: 800 }, () => {
        const all = Array.from({ length: 2 * customers }, amount);
        const cut = all.toSorted((a, b) => a - b)[Math.ceil(0.99 * all.length) - 1];
        const kept = all.slice(0, customers).flatMap((one) => (random() < saved ? Math.min(cut, one) : []));
        const counts = { currency: 'EUR', verified: true, customers };
        // Large, because means are rounded to hundredths.
        const sum = 1e6 * mean(kept) * kept.length;
        const squares = 1e12 * mean(kept.map((one) => one ** 2)) * kept.length;
        return meanOf({ ...counts, sum, squares }, kept.length, z).interval;
      }).filter((interval) => interval !== null);
      return intervals.filter(([low, high]) => low <= 1e6 * truth && 1e6 * truth <= high).length / intervals.length;
    };
    expect(covered(1.96)).toBeGreaterThan(0.9);
    expect(covered(3)).toBeGreaterThan(0.98);
  });
});
