import { createHash } from 'node:crypto';
import { type Draws, saltOf } from './draws';
import type { SplitArm, SplitNode } from './flow-definition';

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
