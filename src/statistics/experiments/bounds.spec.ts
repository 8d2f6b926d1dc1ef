import { alwaysValidBound, plannedBounds, spendingOf } from './bounds';
import { above, exceededWith } from './normal';

const even = (days: number) => Array.from({ length: days }, (_, day) => 100 * (day + 1));

describe('The normal distribution', () => {
  it.each([
    // NIST, https://www.itl.nist.gov/div898/handbook/eda/section3/eda3671.htm, and SciPy 1.17.1: norm.sf(x).
    [0, 0.5],
    [1, 0.15865525393145707],
    [1.959963984540054, 0.025],
    [4, 3.167124183311986e-5],
    [8, 6.220960574271785e-16],
    [-1, 0.8413447460685429],
  ])('has above %f the probability %f', (x, probability) => {
    expect(above(x) / probability).toBeCloseTo(1, 12);
    if (probability <= 0.5) expect(exceededWith(probability)).toBeCloseTo(x, 10);
  });
});

describe('The bounds of a plan', () => {
  it.each([
    // Jennison and Turnbull, Group Sequential Methods (2000), and Lan and DeMets (1983): 5 % in all, of which each side
    // spends its half by itself, so the sums of both are twice those of half the level.
    [5, [4.877, 3.357, 2.68, 2.29, 2.031]],
    [4, [4.333, 2.963, 2.359, 2.014]],
    [2, [2.963, 1.969]],
  ])('of %i even looks are those that were published', (looks, published) => {
    const bounds = plannedBounds(
      even(looks),
      spendingOf(looks, 0.025).map((spent) => 2 * spent),
    );
    for (const [index, bound] of bounds.entries()) expect(bound).toBeCloseTo(published[index], 2);
  });

  it('are high at first and low at the end: 4 % over 30 days', () => {
    const bounds = plannedBounds(even(30), spendingOf(30, 0.04));
    expect(bounds[0]).toBeNull();
    expect([5, 15, 30].map((day) => bounds[day - 1]!.toFixed(2))).toEqual(['5.03', '3.01', '2.27']);
  });

  it('come from the customers who came, and are the same whatever comes later', () => {
    const growing = Array.from({ length: 30 }, (_, day) => 100 * 1.08 ** day * (day + 1));
    const spending = spendingOf(30, 0.04);
    const bounds = plannedBounds(growing, spending);
    expect(bounds.at(-1)).toBeGreaterThan(plannedBounds(even(30), spending).at(-1)!);
    expect(plannedBounds(growing.slice(0, 12), spending)).toEqual(bounds.slice(0, 12));
  });

  it.each([
    ['nobody came', Array.from({ length: 30 }, () => 0)],
    ['all came on the first day', Array.from({ length: 30 }, () => 5000)],
    ['hardly anybody came after the first days', Array.from({ length: 30 }, (_, day) => 10_000 + day)],
  ])('are numbers that do not rise where %s', (_, customers) => {
    const bounds = plannedBounds(customers, spendingOf(30, 0.04)).filter((bound) => bound !== null);
    for (const [index, bound] of bounds.entries()) {
      expect(bound).toBeGreaterThan(1.9);
      if (index > 0) expect(bound).toBeLessThanOrEqual(bounds[index - 1] + 1e-9);
    }
  });
});

describe('The bound that is always valid', () => {
  it('is smallest near the number of customers that was chosen, and rises slowly', () => {
    const bound = (customers: number) => alwaysValidBound(customers, 1000, 0.05);
    expect(bound(100)).toBeGreaterThan(bound(1000));
    expect(bound(100_000)).toBeGreaterThan(bound(1000));
    expect(bound(1000).toFixed(2)).toBe('3.04');
    expect(bound(100_000)).toBeLessThan(4);
  });
});
