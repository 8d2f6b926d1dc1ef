import { LineBudget } from './line-budget';

describe('LineBudget', () => {
  it('lets the first lines of each second through, and says how many it left out within the last minute', () => {
    const budget = new LineBudget(2);
    const taken = [5000, 5001, 5002, 5999, 6000, 6001, 6002, 9000, 9001, 9002, 90_000].map((now) => budget.take(now));
    expect(taken).toEqual([
      {},
      {},
      undefined,
      undefined,
      { left_out: 2 },
      {},
      undefined,
      { left_out: 1 },
      {},
      undefined,
      {},
    ]);
  });
});
