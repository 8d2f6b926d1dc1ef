import { randomInt } from 'node:crypto';
import anyAscii from 'any-ascii';
import { looksLikeTest, MAX_SLUG } from '../../workspaces/test-slugs';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const SUFFIX = 8;

/**
 * A new slug: the name in lower-case ASCII, cut to what is left of the longest, and 8 random characters to make it
 * unique.
 */
export function createSlug(name: string, longest = MAX_SLUG): string {
  const words = anyAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const stem = (looksLikeTest(`${words}-`) ? `flow-${words}` : words).slice(0, longest - SUFFIX - 1).replace(/-$/, '');
  const suffix = Array.from({ length: SUFFIX }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${stem || 'flow'}-${suffix}`;
}
