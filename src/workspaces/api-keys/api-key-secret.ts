import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIXES = { live: 'rf_live_', test: 'rf_test_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^rf_(?:live|test)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A new key: `rf_live_` or `rf_test_`, 32 random bytes in base62 (43 characters), and a checksum (6). */
export function createKey(kind: keyof typeof PREFIXES): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
  return PREFIXES[kind] + random + checksum(random);
}

/** Whether a text has the form and the checksum of a key. Any other is refused without a look-up. */
export function isKey(text: string): boolean {
  const [, random, sum] = FORM.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
}

export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The stored form of a key, from which it can't be guessed. */
export function storedForm(key: string) {
  return { hash: hashOf(key), prefix: key.slice(0, PREFIXES.live.length + 4), last_four: key.slice(-4) };
}

function checksum(random: string): string {
  return base62(BigInt(crc32(random)), 6);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = BASE62[Number(rest % 62n)] + digits;
  return digits;
}
