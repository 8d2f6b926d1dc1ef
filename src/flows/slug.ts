import { randomInt } from 'node:crypto';
import anyAscii from 'any-ascii';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new slug: the name in lower-case ASCII, at most 60 characters of it, and 8 random ones so that it is unique. */
export function createSlug(name: string): string {
  const stem = anyAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  const suffix = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${stem || 'flow'}-${suffix}`;
}
