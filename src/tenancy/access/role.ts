export const ROLES = ['viewer', 'editor', 'owner'] as const;

/**
 * A person's or key's rights in a workspace. Each role may do what those before it may: `viewer` reads, `editor`
 * changes flows and offers.
 */
export type Role = (typeof ROLES)[number];

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
