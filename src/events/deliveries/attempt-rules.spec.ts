import fc from 'fast-check';
import { limitOf, nextAttemptIn, roomFor } from './attempt-rules';

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

  it('is as late as the receiver asks, and no earlier than the schedule', () => {
    expect(nextAttemptIn(1, 60, middle)).toBe(60);
    expect(nextAttemptIn(1, 0, middle)).toBe(5);
    expect(nextAttemptIn(2, 60, middle)).toBe(300);
    expect(nextAttemptIn(10, 60)).toBeUndefined();
  });
});

describe('A receiver that limits', () => {
  it.each([
    ['as it asks', { status: 429, retryAfter: 7 }, true, 7],
    ['a second at least', { status: 429, retryAfter: 0 }, true, 1],
    ['an hour at most', { status: 429, retryAfter: 86_400 }, true, 3600],
    ['30 seconds if it does not say', { status: 429 }, true, 30],
    ['also without a success for long', { status: 429, retryAfter: 7 }, false, 7],
    ['as it asks with 503', { status: 503, retryAfter: 7 }, true, 7],
  ])('is left alone %s', (_, response, mayLimitWith503, seconds) => {
    expect(limitOf(response, mayLimitWith503)).toBe(seconds);
  });

  it.each([
    ['503 that does not say when to come back', { status: 503 }, true],
    ['503 for more than an hour', { status: 503, retryAfter: 7 }, false],
    ['another error', { status: 500, retryAfter: 7 }, true],
  ])('is none with %s', (_, response, mayLimitWith503) => {
    expect(limitOf(response, mayLimitWith503)).toBeUndefined();
  });
});

/** What workspaces have that take all they may whenever one of theirs has ended. */
function sharesOf(workspaces: number, all: number): { each: number[]; free: number } {
  const each = Array<number>(workspaces).fill(0);
  const free = () => all - each.reduce((sum, own) => sum + own, 0);
  for (let turn = 0; turn < 100_000; turn++) {
    const n = turn % workspaces;
    each[n] = Math.max(0, each[n] - 1);
    each[n] += roomFor(each[n], free());
  }
  return { each, free: free() };
}

describe('What workspaces share', () => {
  it.each([1, 4, 10, 40])('has room for another one, when %i take all that they may', (workspaces) => {
    const { each, free } = sharesOf(workspaces, 800);
    const part = 800 / (workspaces + 1);
    for (const own of [...each, free]) {
      expect(own).toBeGreaterThan(part / 2);
      expect(own).toBeLessThan(part * 2);
    }
  });

  it('is taken to the last one by somebody who has none', () => {
    expect(roomFor(0, 1)).toBe(1);
    expect(roomFor(1, 1)).toBe(0);
    expect(roomFor(3, 0)).toBe(0);
  });
});
