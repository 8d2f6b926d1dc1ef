import { createHash } from 'node:crypto';

/** How many zero bits a proof takes: about a million hashes, a second or two in a browser. */
const ZERO_BITS = 20;

/** The challenge of a proof: it contains the declaration, so that the proof is good for nothing else. */
export function challengeOf(contentHash: Buffer): string {
  return contentHash.toString('base64url');
}

/** Whether somebody has worked for a declaration. */
export function isProof(challenge: string, proof: string): boolean {
  const hash = createHash('sha256').update(`${challenge}.${proof}`).digest();
  return hash.readUInt32BE() >>> (32 - ZERO_BITS) === 0;
}
