import { type Effect, partLeft } from './effect';

const SAVED = new Date('2026-01-01T00:00:00Z');
const DAY = 24 * 60 * 60 * 1000;
const day = (days: number) => new Date(SAVED.getTime() + days * DAY).toISOString();
const discount: Effect = {
  kind: 'discount',
  from: day(0),
  until: null,
  currency: 'EUR',
  price_now: 4000,
  price_then: 1000,
};

describe('What is left of a price in the year from a save', () => {
  it.each<[string, Partial<Effect>, number | null]>([
    ['half of it at a quarter', { until: day(182.5) }, 0.625],
    ['all of it at a quarter', {}, 0.25],
    ['from the next payment on', { from: day(73) }, 0.4],
    ['what ends later counts for the year', { from: day(73), until: day(800) }, 0.4],
    ['what begins later does not count', { from: day(400), until: day(800) }, 1],
    ['at once', { from: null, until: day(36.5) }, 0.925],
    ['a pause is free, whatever its prices', { kind: 'pause', until: day(73), price_now: null, price_then: null }, 0.8],
    ['an extension is free', { kind: 'extension', from: day(10), until: day(24.6) }, 0.96],
    ['a higher price is more', { kind: 'plan_change', from: null, price_then: 8000 }, 2],
    ['nothing changes', { kind: 'stay', from: null, price_now: null, price_then: null }, 1],
    ['a discount without a price', { price_then: null }, null],
    ['a price of nothing', { price_now: 0 }, null],
    ['the subscription ends', { kind: 'end' }, null],
  ])('%s', (_, changes, left) => {
    const part = partLeft({ ...discount, ...changes }, SAVED);
    if (left === null) expect(part).toBeNull();
    else expect(part).toBeCloseTo(left, 12);
  });
});
