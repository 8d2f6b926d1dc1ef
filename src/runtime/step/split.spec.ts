import type { SplitNode } from '../../flows/flow-definition';
import { wayFor } from './split';

const split = (weights: Record<string, number>, key = 'test'): SplitNode => ({
  key,
  type: 'split',
  config: { ways: Object.entries(weights).map(([name, weight]) => ({ name, weight, next: 'confirm' })) },
});
const customers = Array.from({ length: 10_000 }, (_, n) => `cus_${n}`);
const waysOf = (weights: Record<string, number>, key?: string) => {
  const node = split(weights, key);
  return customers.map((customer) => wayFor(node, customer).name);
};
const shareOf = (ways: string[], way: string) => ways.filter((one) => one === way).length / ways.length;

describe('A split', () => {
  it('sends 10,000 customers along ways of 70, 20 and 10, each within 1 % of its weight', () => {
    const ways = waysOf({ a: 70, b: 20, c: 10 });
    for (const [way, share] of [
      ['a', 0.7],
      ['b', 0.2],
      ['c', 0.1],
    ] as const) {
      expect(Math.abs(shareOf(ways, way) - share)).toBeLessThan(0.01);
    }
  });

  it('sends a customer the same way for ever: these ways must never change', () => {
    expect(
      ['cus_1', 'cus_2', 'cus_3', 'Zoë', '', '👋'].map((customer) => wayFor(split({ a: 50, b: 50 }), customer).name),
    ).toEqual(['a', 'b', 'b', 'b', 'a', 'a']);
  });

  it('sends nobody a way without weight, and everybody the only way with one', () => {
    expect(new Set(waysOf({ a: 0, b: 1, c: 0 }))).toEqual(new Set(['b']));
  });

  it('sends the same customers the same ways in another order', () => {
    expect(waysOf({ c: 10, a: 70, b: 20 })).toEqual(waysOf({ a: 70, b: 20, c: 10 }));
  });

  it('sends the same customers the same ways with all weights doubled', () => {
    expect(waysOf({ a: 140, b: 40, c: 20 })).toEqual(waysOf({ a: 70, b: 20, c: 10 }));
  });

  it('moves customers only to a way that gets more weight, and no more than its share grows', () => {
    const [before, after] = [waysOf({ a: 70, b: 20, c: 10 }), waysOf({ a: 70, b: 50, c: 10 })];
    const moved = customers.flatMap((_, n) => (before[n] === after[n] ? [] : after[n]));
    expect(new Set(moved)).toEqual(new Set(['b']));
    expect(moved.length / customers.length).toBeCloseTo(shareOf(after, 'b') - shareOf(before, 'b'), 10);
  });

  it('moves customers only away from a way that is closed', () => {
    const [before, after] = [waysOf({ a: 70, b: 20, c: 10 }), waysOf({ a: 70, b: 0, c: 10 })];
    const moved = customers.flatMap((_, n) => (before[n] === after[n] ? [] : before[n]));
    expect(new Set(moved)).toEqual(new Set(['b']));
    expect(moved).toHaveLength(before.filter((way) => way === 'b').length);
  });

  it('moves customers only to a way that is new', () => {
    const [before, after] = [waysOf({ a: 50, b: 50 }), waysOf({ a: 50, b: 50, c: 20 })];
    expect(new Set(customers.flatMap((_, n) => (before[n] === after[n] ? [] : after[n])))).toEqual(new Set(['c']));
  });

  it('is independent of another split: of those that go one way, half go each way of the other', () => {
    const [one, other] = [waysOf({ a: 50, b: 50 }), waysOf({ a: 50, b: 50 }, 'other')];
    const both = customers.filter((_, n) => one[n] === 'a' && other[n] === 'a').length;
    expect(Math.abs(both / customers.length - 0.25)).toBeLessThan(0.01);
  });
});
