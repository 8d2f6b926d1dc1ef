import { createHash } from 'node:crypto';

/** How many characters of its id the slugs of a test workspace have. */
export const OWN_CHARACTERS = 6;
/** The longest slug. */
export const MAX_SLUG = 63;
/** Begins the slugs of test workspaces, and of no other. */
const TEST = 'test-';
/** How many characters of a hash end a slug that is cut. */
const HASH = 8;

/** The last characters of a workspace's id, which are random. */
export const ownCharacters = (workspaceId: string): string => workspaceId.slice(-OWN_CHARACTERS);

const prefixOf = (workspaceId: string): string => `${TEST}${ownCharacters(workspaceId)}-`;

/** The most characters of a slug behind what the slugs of a test workspace begin with. */
export const MAX_BARE_SLUG = MAX_SLUG - TEST.length - OWN_CHARACTERS - 1;

/** Whether a slug looks like one of a test workspace. */
export const looksLikeTest = (slug: string): boolean => slug.startsWith(TEST);

/** Whether a slug is one of this workspace, which is for tests. */
const isOf = (workspaceId: string, slug: string) => slug.startsWith(prefixOf(workspaceId));

/** A slug without what the slugs of a test workspace begin with. */
export function bareSlug(workspaceId: string, slug: string): string {
  return isOf(workspaceId, slug) ? slug.slice(prefixOf(workspaceId).length) : slug;
}

/** A slug as a test workspace stores it. One that gets too long is cut, and ends with a hash of the whole. */
export function testSlug(workspaceId: string, slug: string): string {
  const bare = bareSlug(workspaceId, slug);
  if (bare.length <= MAX_BARE_SLUG) return prefixOf(workspaceId) + bare;
  const hash = createHash('sha256').update(bare).digest('hex').slice(0, HASH);
  return `${prefixOf(workspaceId)}${bare.slice(0, MAX_BARE_SLUG - HASH - 1)}-${hash}`;
}

/** Whether a document means this slug: it has that of the live workspace, or the bare one. */
export function meansSlug(workspaceId: string, stored: string, slug: string): boolean {
  return stored === slug || (isOf(workspaceId, stored) && stored === testSlug(workspaceId, slug));
}

/**
 * A slug as documents have it, which lead flows from a live workspace to its test workspace and back; undefined if it
 * may be cut, so that nobody knows the whole.
 */
export function slugInDocuments(workspaceId: string, stored: string): string | undefined {
  return isOf(workspaceId, stored) && stored.length === MAX_SLUG ? undefined : bareSlug(workspaceId, stored);
}
