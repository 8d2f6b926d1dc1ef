import { sha256 } from '@noble/hashes/sha2.js';
import isEqual from 'fast-deep-equal';

/** What the service's rules take from Node, for a browser. */

/** Of `node:crypto`: SHA-256 alone. */
export const createHash = (_name: 'sha256') => ({
  update: (text: string) => ({
    digest() {
      const { buffer } = sha256(bytesOf(text));
      return { readBigUInt64BE: () => new DataView(buffer).getBigUint64(0) };
    },
  }),
});

/** A text in UTF-8. Jest's jsdom has no TextEncoder. */
export function bytesOf(text: string): Uint8Array {
  const escaped = encodeURIComponent(text).matchAll(/%(..)|[^]/g);
  return Uint8Array.from(escaped, ([one, hexadecimal]) =>
    hexadecimal ? parseInt(hexadecimal, 16) : one.charCodeAt(0),
  );
}

/** Of `node:util`, for values of JSON. */
export const isDeepStrictEqual = isEqual;

/** Of `node:http`: nobody reads these titles here. */
export const STATUS_CODES: Record<number, string> = {};
