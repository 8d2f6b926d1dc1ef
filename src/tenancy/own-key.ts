import { Problem } from '../platform/api/problems/problem';
import { statement } from '../platform/database/transaction/statement';
import type { Work } from './work/work';

/** SQL for the key of a thing in configuration documents: its own key, or else a part of it that never changes. */
export const OWN_KEY_OF = {
  offers: `COALESCE(key, 'offer-' || right(id::text, 12))`,
  flows: 'COALESCE(key, slug)',
  webhooks: `COALESCE(key, 'webhook-' || right(id::text, 12))`,
  audiences: `COALESCE(key, 'audience-' || right(id::text, 12))`,
} as const;

const takenIn = (table: keyof typeof OWN_KEY_OF) =>
  statement(`SELECT FROM ${table} WHERE workspace_id = :workspace AND ${OWN_KEY_OF[table]} = ANY (:keys) LIMIT 1`);

const TAKEN = {
  offers: takenIn('offers'),
  flows: takenIn('flows'),
  webhooks: takenIn('webhooks'),
  audiences: takenIn('audiences'),
};

/** Throws a 409 if another thing in the workspace has one of these keys. The caller has to hold creations back. */
export async function requireFreeKeys(
  work: Work,
  table: keyof typeof OWN_KEY_OF,
  keys: (string | null | undefined)[],
): Promise<void> {
  const chosen = keys.filter((key) => key !== null && key !== undefined);
  if (chosen.length === 0) return;
  const isTaken = (await work.row(TAKEN[table], { keys: chosen })) !== undefined;
  if (isTaken || new Set(chosen).size < chosen.length) throw new Problem('key_taken');
}

/** Whether a change gives a thing its key. Throws a 400 if it has another one. */
export function setsKey({ key }: { key: string | null }, sent: string | undefined): boolean {
  if (sent === undefined || sent === key) return false;
  if (key !== null) throw Problem.invalid([{ pointer: '/key', message: `never changes once it is set: it is ${key}` }]);
  return true;
}
