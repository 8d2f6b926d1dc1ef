import { intervalOf } from '../experiments/experiment';
import { meanOf } from './mean';

const EUR = { currency: 'EUR', verified: true };
const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** Amounts of so many customers, and of others who were not saved. */
function cutOf(amounts: number[], customers: number) {
  return { ...EUR, customers, sum: sumOf(amounts), squares: sumOf(amounts.map((amount) => amount ** 2)) };
}

describe('What an arm saves of each customer', () => {
  it('is the mean of all who came', () => {
    const amounts = [...Array<number>(20).fill(1000), ...Array<number>(20).fill(3000)];
    expect(meanOf(cutOf(amounts, 200), 40, 1.96).mean).toBe(400);
  });

  it.each([
    [40, 200, 1.96],
    [10, 100, 3],
    [100, 100, 5],
  ])('is between the shares of %i of %i (%d standard errors) if all amounts are the same', (saved, customers, z) => {
    const { interval } = meanOf(cutOf(Array<number>(saved).fill(100_000), customers), saved, z);
    const shares = intervalOf(saved, customers, z)!;
    for (const end of [0, 1]) expect(interval![end]).toBeCloseTo(100_000 * shares[end], 1);
  });

  it('is less sure if the amounts differ', () => {
    const same = meanOf(cutOf(Array<number>(40).fill(2000), 200), 40, 1.96).interval!;
    const amounts = [...Array<number>(20).fill(500), ...Array<number>(20).fill(3500)];
    const [low, high] = meanOf(cutOf(amounts, 200), 40, 1.96).interval!;
    expect([low < same[0], high > same[1]]).toEqual([true, true]);
  });

  it('has no interval while a few say little', () => {
    expect(meanOf(cutOf(Array<number>(40).fill(1000), 99), 40, 1.96).interval).toBeNull();
    expect(meanOf(cutOf(Array<number>(9).fill(1000), 500), 9, 1.96).interval).toBeNull();
    expect(meanOf(cutOf(Array<number>(20).fill(0), 500), 20, 1.96)).toEqual({ mean: 0, interval: null });
    expect(meanOf(undefined, 0, 1.96)).toEqual({ mean: null, interval: null });
  });
});
