import { isDeepStrictEqual } from 'node:util';
import { plain } from '../../platform/api/fields/plain';
import { eventIdAt } from '../../platform/api/ids';
import { jsonRows } from '../../platform/database/transaction/json-rows';
import { prepared } from '../../platform/database/transaction/statement';
import { EXACT_NOW, NOW } from '../../platform/database/time';
import type { Actor } from '../access/actor';
import type { Action, SubjectType } from './actions';

const COLUMNS = `actor_type text, actor_id uuid, actor_name text, action text, subject_type text, subject_id uuid, subject_name text,
  details jsonb`;

/** SQL for the id of a new entry. A later statement has a greater one. */
const ENTRY_ID = eventIdAt(EXACT_NOW);

/** Appends `:entries` to the log of changes, in their order. */
export const APPEND_CHANGES = prepared(
  'changes-append',
  `INSERT INTO changes (workspace_id, id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, details, created_at)
  SELECT :workspace, ${ENTRY_ID}, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, details, ${NOW}
  FROM ${jsonRows(':entries::jsonb', COLUMNS)} AS entry`,
);

/** A change that is about to be recorded. */
export interface NewChange {
  action: Action;
  /** The thing that was changed, with its name at that time. */
  subject: { type: SubjectType; id: string | null; name: string };
  /** More about it: names of fields, but no values that may be secret, and nothing of a customer. */
  details?: Record<string, unknown>;
}

/** Changes as `APPEND_CHANGES` takes them. */
export function entriesOf(actor: Actor, changes: NewChange[]): string {
  const entries = changes.map(({ action, subject, details = {} }) => ({
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_name: subject.name,
    details,
  }));
  return JSON.stringify(entries);
}

/** The names of the fields that a change is about, for its details. */
export function fieldsIn(changes: object): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** The names of the fields that the changes alter. If there are none, nothing is written or logged. */
export function changedIn(before: object, changes: object): string[] {
  const sent = plain(changes) as Record<string, unknown>;
  return Object.keys(sent).filter((name) => !isDeepStrictEqual(sent[name], (before as Record<string, unknown>)[name]));
}
