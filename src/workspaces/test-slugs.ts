/** How many characters of its id the slugs of a test workspace have. */
export const OWN_CHARACTERS = 6;
/** The longest slug. */
const MAX_SLUG = 63;
/** Begins the slugs of test workspaces, and of no other. */
const TEST = 'test-';

/** The last characters of a workspace's id, which are random. */
export const ownCharacters = (workspaceId: string): string => workspaceId.slice(-OWN_CHARACTERS);

const prefixOf = (workspaceId: string): string => `${TEST}${ownCharacters(workspaceId)}-`;

/** The most characters of a slug behind what the slugs of a test workspace begin with. */
export const MAX_BARE_SLUG = MAX_SLUG - prefixOf('').length - OWN_CHARACTERS;

/** Whether a slug could be mistaken for one of a test workspace. */
export const looksLikeTest = (slug: string): boolean => slug.startsWith(TEST);

/**
 * A slug as documents have it, who take flows from a live workspace to its test workspace and back: without what the
 * slugs of a test workspace begin with, because a slug is unique in the whole service.
 */
export function bareSlug(workspaceId: string, slug: string): string {
  const prefix = prefixOf(workspaceId);
  return slug.startsWith(prefix) ? slug.slice(prefix.length) : slug;
}

/** A slug as a test workspace stores it, cut to the longest. */
export function testSlug(workspaceId: string, slug: string): string {
  return (prefixOf(workspaceId) + bareSlug(workspaceId, slug)).slice(0, MAX_SLUG);
}
