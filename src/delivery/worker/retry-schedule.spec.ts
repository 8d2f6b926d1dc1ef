import fc from 'fast-check';
import { nextAttemptIn } from './retry-schedule';

const DAY = 24 * 60 * 60;
const middle = () => 0.5;

describe('The next attempt', () => {
  it('is after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and there is none after the tenth', () => {
    const waits = Array.from({ length: 12 }, (_, index) => nextAttemptIn(index + 1, undefined, middle));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, DAY, undefined, undefined, undefined]);
  });

  it('is at most 20 % earlier or later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const share = nextAttemptIn(attempts, undefined, () => random)! / nextAttemptIn(attempts, undefined, middle)!;
        expect(share).toBeCloseTo(0.8 + 0.4 * random);
      }),
    );
  });

  it('is different for deliveries that failed together', () => {
    expect(new Set(Array.from({ length: 100 }, () => nextAttemptIn(2))).size).toBeGreaterThan(90);
  });

  it('is as late as the receiver asks, up to 24 hours, and no earlier than the schedule', () => {
    expect(nextAttemptIn(1, 60, middle)).toBe(60);
    expect(nextAttemptIn(1, 0, middle)).toBe(5);
    expect(nextAttemptIn(2, 60, middle)).toBe(300);
    expect(nextAttemptIn(1, 7 * DAY, middle)).toBe(DAY);
    expect(nextAttemptIn(10, 60)).toBeUndefined();
  });
});
