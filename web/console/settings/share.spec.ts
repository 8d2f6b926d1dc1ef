import { share } from './share';

describe('The share of the month that is used', () => {
  it.each([
    [0, 1000, 0],
    [250, 1000, 0.25],
    [1000, 1000, 1],
    // The operator may lower the limit below what is used.
    [1200, 1000, 1],
    [0, 0, 1],
  ])('of %i with a limit of %i is %d', (used, limit, expected) => expect(share(used, limit)).toBe(expected));
});
