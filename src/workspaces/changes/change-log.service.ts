import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { eventIdAt } from '../../common/ids';
import { EXACT_NOW, NOW } from '../../database/time';
import type { Actor } from '../actor';
import type { Action, SubjectType } from './actions';

/** In SQL: a new id of an entry. A later statement has a greater one. */
const ENTRY_ID = eventIdAt(EXACT_NOW);

/** $1: workspace, $2 to $8: an entry. */
const APPEND = `
  INSERT INTO changes (workspace_id, id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, details, created_at)
  VALUES ($1, ${ENTRY_ID}, $2, $3, $4, $5, $6, $7, $8, $9, ${NOW})`;

/** A change that is about to be recorded. */
export interface NewChange {
  actor: Actor;
  action: Action;
  /** What was changed, with its name then. */
  subject: { type: SubjectType; id: string | null; name: string };
  /** More about it: names of fields, but no values that may be secret, and nothing of a customer. */
  details?: Record<string, unknown>;
}

/** The log of changes: who changed what, recorded in the transaction of the change. */
@Injectable()
export class ChangeLog {
  async append(
    workspaceId: string,
    { actor, action, subject, details = {} }: NewChange,
    manager: EntityManager,
  ): Promise<void> {
    const who = [actor.type, actor.id, actor.name];
    const what = [action, subject.type, subject.id, subject.name, details];
    await manager.query(APPEND, [workspaceId, ...who, ...what]);
  }
}

/** The names of the fields that a change is about, for its details. */
export function fieldsIn(changes: object): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
}
