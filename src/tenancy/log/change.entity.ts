import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ACTOR_TYPES } from '../access/actor';
import type { Action, SubjectType } from './actions';

/** An entry in the log of changes. Never updated; deleted only when it is older than what the operator keeps. */
@Entity('changes')
@Index('changes_by_actor', ['workspace_id', 'actor_id', 'id'], { where: 'actor_id IS NOT NULL' })
@Index('changes_by_subject', ['workspace_id', 'subject_id', 'id'], { where: 'subject_id IS NOT NULL' })
export class Change {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'changes_pkey' })
  workspace_id: string;

  /** A UUID v7 of the time of the change: see `EVENT_ID`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'changes_pkey' })
  id: string;

  @Column('text')
  actor_type: (typeof ACTOR_TYPES)[number];

  @Column('uuid', { nullable: true })
  actor_id: string | null;

  @Column('text')
  actor_name: string;

  @Column('text')
  action: Action;

  @Column('text')
  subject_type: SubjectType;

  @Column('uuid', { nullable: true })
  subject_id: string | null;

  @Column('text')
  subject_name: string;

  /** No secrets, and nothing of a customer. */
  @Column('jsonb')
  details: Record<string, unknown>;

  @Column('timestamptz')
  created_at: Date;
}
