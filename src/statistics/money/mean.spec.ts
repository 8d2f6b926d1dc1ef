import { meanOf } from './mean';

const EUR = { currency: 'EUR', verified: true };

/** Amounts of so many customers, and of others who were not saved. */
function cutOf(amounts: number[], customers: number) {
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  return { ...EUR, customers, sum: sumOf(amounts), squares: sumOf(amounts.map((amount) => amount ** 2)) };
}

describe('What an arm saves of each customer', () => {
  // In Python: `1.96 * statistics.stdev([1000] * 20 + [3000] * 20 + [0] * 160) / 200 ** 0.5`.
  it('is the mean of all who came, with standard errors to each side', () => {
    const amounts = [...Array<number>(20).fill(1000), ...Array<number>(20).fill(3000)];
    const { mean, interval } = meanOf(cutOf(amounts, 200), 40, 1.96);
    expect(mean).toBe(400);
    expect(interval![0]).toBeCloseTo(400 - 127.341, 1);
    expect(interval![1]).toBeCloseTo(400 + 127.341, 1);
  });

  it('is never less than nothing', () => {
    expect(meanOf(cutOf(Array<number>(10).fill(5000), 100), 10, 5)).toEqual({ mean: 500, interval: [0, 1253.78] });
  });

  it('has no interval while a few say little', () => {
    expect(meanOf(cutOf(Array<number>(40).fill(1000), 99), 40, 1.96).interval).toBeNull();
    expect(meanOf(cutOf(Array<number>(9).fill(1000), 500), 9, 1.96).interval).toBeNull();
    expect(meanOf(undefined, 0, 1.96)).toEqual({ mean: null, interval: null });
  });
});
