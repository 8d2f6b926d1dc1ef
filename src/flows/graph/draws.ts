import type { FlowDefinition, SplitNode } from './flow-definition';
import { PLANNED_DAYS } from './graph-limits';

/** The version of a flow that drew anew last, by the key of the split. Splits that it does not have never did. */
export type Draws = Record<string, number>;

/** What a split draws with. Without a salt of its own it is another one for each draw. */
export function saltOf({ key, config }: Pick<SplitNode, 'key' | 'config'>, draw?: number | null): string {
  return config.salt ?? (draw ? `${key} ${draw}` : key);
}

/**
 * What the numbers of a split depend on, in a text: its arms in any order, and how long they are planned to be read.
 * With another, an experiment begins anew.
 */
export function armsIn({ ways: arms, planned_days = PLANNED_DAYS.usual }: SplitNode['config']): string {
  const each = arms.map(({ name, weight, next, control = false }) => JSON.stringify([name, weight, next, control]));
  return JSON.stringify([planned_days, ...each.toSorted()]);
}

/** The draws of a version that follows another one: splits that it changes draw anew, unless they have a salt. */
export function drawsAfter(
  before: { definition: FlowDefinition; draws: Draws },
  { nodes }: FlowDefinition,
  version: number,
): Draws {
  const splits = nodes.filter((node) => node.type === 'split');
  return Object.fromEntries(
    splits.flatMap(({ key, config }): [string, number][] => {
      if (config.salt !== undefined) return [];
      const split = before.definition.nodes.find((node) => node.key === key);
      const isSame =
        split?.type === 'split' && split.config.salt === undefined && armsIn(split.config) === armsIn(config);
      if (!isSame) return [[key, version]];
      return Object.hasOwn(before.draws, key) ? [[key, before.draws[key]]] : [];
    }),
  );
}
