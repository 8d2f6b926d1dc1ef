import type { SplitNode } from './flow-definition';
import { armFor } from './arms';
import { drawsAfter } from './draws';

const split = (weights: Record<string, number>, key = 'test'): SplitNode => ({
  key,
  type: 'split',
  config: { ways: Object.entries(weights).map(([name, weight]) => ({ name, weight, next: 'confirm' })) },
});
const customers = Array.from({ length: 10_000 }, (_, n) => `cus_${n}`);
const armsOf = (weights: Record<string, number>, key?: string) => {
  const node = split(weights, key);
  return customers.map((customer) => armFor(node, customer).name);
};
const shareOf = (arms: string[], arm: string) => arms.filter((one) => one === arm).length / arms.length;

describe('A split', () => {
  it('sends 10,000 customers to arms of 70, 20 and 10, each within 1 % of its weight', () => {
    const arms = armsOf({ a: 70, b: 20, c: 10 });
    for (const [arm, share] of [
      ['a', 0.7],
      ['b', 0.2],
      ['c', 0.1],
    ] as const) {
      expect(Math.abs(shareOf(arms, arm) - share)).toBeLessThan(0.01);
    }
  });

  it('sends a customer to the same arm for ever: these arms must never change', () => {
    const node = split({ a: 70, b: 20, c: 10 });
    const arms = ['Zoë', '', '👋', ...customers.slice(0, 37)].map((customer) => armFor(node, customer).name);
    expect(arms.join('')).toBe('baaaaabaaaacaaaaaababaaaabbbbacaabaaaaab');
  });

  it('moves at most 2 d / (1 + d) of the customers when weights change so that shares of d move', () => {
    for (const [before, after, moving] of [
      [{ a: 70, b: 20, c: 10 }, { a: 50, b: 40, c: 10 }, 0.2],
      [{ a: 60, b: 30, c: 10 }, { a: 10, b: 30, c: 60 }, 0.5],
      [{ a: 50, b: 50, c: 0 }, { a: 0, b: 50, c: 50 }, 0.5],
    ] as const) {
      const [old, now] = [armsOf(before), armsOf(after)];
      const moved = customers.filter((_, n) => old[n] !== now[n]).length / customers.length;
      expect(moved).toBeLessThan((2 * moving) / (1 + moving) + 0.01);
    }
  });

  it('sends a customer to the same arm as another split with its salt, and draws anew with another', () => {
    const weights = { a: 1, b: 1 };
    const salted = (salt: string) => ({ ...split(weights, 'other'), config: { ...split(weights).config, salt } });
    const arms = (node: SplitNode) => customers.map((customer) => armFor(node, customer).name);
    expect(arms(salted('test'))).toEqual(armsOf(weights, 'test'));
    const [before, after] = [arms(salted('test')), arms(salted('test2'))];
    expect(Math.abs(before.filter((arm, n) => arm === after[n]).length / customers.length - 0.5)).toBeLessThan(0.02);
  });

  it('sends nobody to an arm without weight, and everybody to the only arm with one', () => {
    expect(new Set(armsOf({ a: 0, b: 1, c: 0 }))).toEqual(new Set(['b']));
  });

  it('sends the same customers to the same arms in another order', () => {
    expect(armsOf({ c: 10, a: 70, b: 20 })).toEqual(armsOf({ a: 70, b: 20, c: 10 }));
  });

  it('sends the same customers to the same arms with all weights doubled', () => {
    expect(armsOf({ a: 140, b: 40, c: 20 })).toEqual(armsOf({ a: 70, b: 20, c: 10 }));
  });

  it('moves customers only to an arm that gets more weight, and no more than its share grows', () => {
    const [before, after] = [armsOf({ a: 70, b: 20, c: 10 }), armsOf({ a: 70, b: 50, c: 10 })];
    const moved = customers.flatMap((_, n) => (before[n] === after[n] ? [] : after[n]));
    expect(new Set(moved)).toEqual(new Set(['b']));
    expect(moved.length / customers.length).toBeCloseTo(shareOf(after, 'b') - shareOf(before, 'b'), 10);
  });

  it('moves customers only away from an arm that is closed', () => {
    const [before, after] = [armsOf({ a: 70, b: 20, c: 10 }), armsOf({ a: 70, b: 0, c: 10 })];
    const moved = customers.flatMap((_, n) => (before[n] === after[n] ? [] : before[n]));
    expect(new Set(moved)).toEqual(new Set(['b']));
    expect(moved).toHaveLength(before.filter((arm) => arm === 'b').length);
  });

  it('moves customers only to an arm that is new', () => {
    const [before, after] = [armsOf({ a: 50, b: 50 }), armsOf({ a: 50, b: 50, c: 20 })];
    expect(new Set(customers.flatMap((_, n) => (before[n] === after[n] ? [] : after[n])))).toEqual(new Set(['c']));
  });

  it('is independent of another split: of those in one arm, half are in each arm of the other', () => {
    const [one, other] = [armsOf({ a: 50, b: 50 }), armsOf({ a: 50, b: 50 }, 'other')];
    const both = customers.filter((_, n) => one[n] === 'a' && other[n] === 'a').length;
    expect(Math.abs(both / customers.length - 0.25)).toBeLessThan(0.01);
  });
});

describe('Another version', () => {
  const version = (node: SplitNode | undefined, draws: Record<string, number> = {}) => ({
    definition: { entry: 'test', nodes: node ? [node] : [] },
    draws,
  });
  const drawn = (before: ReturnType<typeof version>, node: SplitNode) =>
    drawsAfter(before, { entry: 'test', nodes: [node] }, 7);
  const configured = (more: Partial<SplitNode['config']>) => {
    const node = split({ a: 1, b: 1 });
    return { ...node, config: { ...node.config, ...more } };
  };

  it('draws anew for other arms, weights or days, and moves about half of the customers', () => {
    expect(drawn(version(split({ a: 1, b: 1 })), split({ a: 1, b: 2 }))).toEqual({ test: 7 });
    expect(drawn(version(configured({})), configured({ planned_days: 14 }))).toEqual({ test: 7 });
    expect(drawn(version(configured({ salt: 'own' })), configured({}))).toEqual({ test: 7 });
    expect(drawn(version(undefined), split({ a: 1, b: 1 }))).toEqual({ test: 7 });
    const node = split({ a: 1, b: 1 });
    const moved = customers.filter((one) => armFor(node, one).name !== armFor(node, one, { test: 7 }).name);
    expect(Math.abs(moved.length / customers.length - 0.5)).toBeLessThan(0.02);
  });

  it('leaves what it does not change as it was drawn, and says again what is usual', () => {
    expect(drawn(version(configured({})), configured({ planned_days: 30 }))).toEqual({});
    expect(drawn(version(configured({}), { test: 3, other: 2 }), configured({}))).toEqual({ test: 3 });
    expect(drawn(version(split({ a: 1, b: 2 })), split({ b: 2, a: 1 }))).toEqual({});
  });

  it('never draws anew for a split with a salt of its own', () => {
    expect(
      drawn(version(configured({ salt: 'own' })), {
        ...configured({ salt: 'own' }),
        config: { ...split({ a: 1, b: 5 }).config, salt: 'own' },
      }),
    ).toEqual({});
  });
});
