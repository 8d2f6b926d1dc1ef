import type { EntityManager } from 'typeorm';
import { Problem } from '../common/problem';

/** In SQL: what configuration documents call a thing: its own key, or else something of it that never changes. */
export const OWN_KEY_OF = {
  offers: `COALESCE(key, 'offer-' || right(id::text, 12))`,
  flows: 'COALESCE(key, slug)',
  webhooks: `COALESCE(key, 'webhook-' || right(id::text, 12))`,
} as const;

/** Throws a 409 if something else of the workspace is called by one of these keys. Its creations have to wait meanwhile. */
export async function requireFreeKeys(
  table: keyof typeof OWN_KEY_OF,
  workspaceId: string,
  keys: (string | null | undefined)[],
  manager: EntityManager,
): Promise<void> {
  const chosen = keys.filter((key) => key !== null && key !== undefined);
  if (chosen.length === 0) return;
  const sql = `SELECT FROM ${table} WHERE workspace_id = $1 AND ${OWN_KEY_OF[table]} = ANY ($2) LIMIT 1`;
  const taken = await manager.query<object[]>(sql, [workspaceId, chosen]);
  if (taken.length > 0 || new Set(chosen).size < chosen.length) throw new Problem('key_taken');
}

/** Whether a change gives a thing its key. Throws a 400 if it has another one. */
export function isNamed({ key }: { key: string | null }, sent: string | undefined): boolean {
  if (sent === undefined || sent === key) return false;
  if (key !== null) throw Problem.invalid([{ pointer: '/key', message: `never changes once it is set: it is ${key}` }]);
  return true;
}
