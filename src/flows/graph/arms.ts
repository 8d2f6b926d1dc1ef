import { createHash } from 'node:crypto';
import type { FlowDefinition, SplitArm, SplitNode } from './flow-definition';
import { PLANNED_DAYS } from './graph-limits';

/** The version of a flow that drew anew last, by the key of the split. Splits that it does not have never did. */
export type Draws = Record<string, number>;

/**
 * The arm of a split that a visitor gets: always the same one, in every process, session and version, while the arms
 * and their weights stay.
 *
 * Weighted rendezvous hashing: each arm draws a number from the hash of the visitor, the split's salt and its own name,
 * and the smallest draw wins. A draw is exponentially distributed with the weight as its rate, so an arm wins with the
 * probability of its weight / the sum of the weights. Draws don't depend on each other: a changed weight moves only
 * visitors to or from that arm, no more than it must, and the order of the arms moves nobody.
 *
 * @param drawn of the version
 */
export function armFor(split: SplitNode, visitor: string, drawn?: Draws): SplitArm {
  const { ways: arms } = split.config;
  const salt = saltOf(split, drawn?.[split.key]);
  const draws = arms.map(({ name, weight }) => -Math.log(uniform(visitor, salt, name)) / weight);
  return arms[draws.indexOf(Math.min(...draws))];
}

/** A number between 0 and 1, both excluded, from the first 52 bits of a hash. */
function uniform(...texts: string[]): number {
  // As JSON, so that no two lists of texts are the same.
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest();
  return (Number(hash.readBigUInt64BE() >> 12n) + 0.5) / 2 ** 52;
}

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
