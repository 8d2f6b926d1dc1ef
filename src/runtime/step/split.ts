import { createHash } from 'node:crypto';
import type { SplitNode, SplitWay } from '../../flows/flow-definition';

/**
 * The way of a split that a visitor goes: always the same one, in every process, session and version, while the ways and their
 * weights stay.
 *
 * Weighted rendezvous hashing: each way draws a number from the hash of the visitor, the split and its own name, and the
 * smallest draw wins. A draw is exponentially distributed with the weight as its rate, so a way wins with the probability of its
 * weight / the sum of the weights. Draws don't depend on each other: a changed weight moves only visitors to or from that way,
 * no more than it must, and the order of the ways moves nobody.
 *
 * @param visitor the id of the customer, or of the session without one
 */
export function wayFor({ key, config: { ways } }: SplitNode, visitor: string): SplitWay {
  const draws = ways.map(({ name, weight }) => -Math.log(uniform(visitor, key, name)) / weight);
  return ways[draws.indexOf(Math.min(...draws))];
}

/** A number between 0 and 1, both excluded, from the first 52 bits of a hash. */
function uniform(...texts: string[]): number {
  // As JSON, so that no two lists of texts are the same.
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest();
  return (Number(hash.readBigUInt64BE() >> 12n) + 0.5) / 2 ** 52;
}
