import { randomInt } from 'node:crypto';

/** Returns the next number of a sequence, from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

const SEEDS = 2 ** 32;

/** The seeds of FAULT_ROUNDS rounds: FAULT_SEED, or a random one, and those after it. */
export function seeds(): number[] {
  const { FAULT_SEED, FAULT_ROUNDS } = process.env;
  const first = FAULT_SEED ? Number(FAULT_SEED) : randomInt(SEEDS);
  return Array.from({ length: Number(FAULT_ROUNDS || 1) }, (_, round) => (first + round) % SEEDS);
}

/** The pseudorandom sequence of a seed (mulberry32). Each `part` has a sequence of its own. */
export function sequence(seed: number, part: string): Random {
  let state = seed;
  for (const character of part) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / SEEDS;
  };
}

/** An integer of the sequence, from `from` to `to`, both inclusive. */
export function integer(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}
