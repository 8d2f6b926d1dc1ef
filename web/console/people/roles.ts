import type { Person } from '@retention-flow/client';

export type Role = Person['role'];

/** What somebody may do, each with what they may do in words. */
export const ROLES: [Role, string][] = [
  ['viewer', 'Viewer: reads everything'],
  ['editor', 'Editor: also changes and publishes flows and offers'],
  ['owner', 'Owner: also people, keys, webhooks and settings'],
];
