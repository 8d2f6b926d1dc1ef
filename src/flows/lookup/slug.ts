import { randomInt } from 'node:crypto';
import anyAscii from 'any-ascii';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new slug: up to 54 characters of the name in lower-case ASCII, and 8 random ones to make it unique. */
export function createSlug(name: string): string {
  const stem = anyAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 54)
    .replace(/^-|-$/g, '');
  const suffix = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${stem || 'flow'}-${suffix}`;
}
