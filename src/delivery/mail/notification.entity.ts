import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Event } from '../../events/event.entity';

/**
 * - `pending`: a mail of its own, or a summary, that is to be sent.
 * - `collecting`: carries a summary that others still join.
 * - `collected`: is in the summary that another one carries.
 * - `sent`, `failed`, `dropped`: ended.
 */
export type NotificationStatus = 'pending' | 'collecting' | 'collected' | 'sent' | 'failed' | 'dropped';

/** An event on its way to the address of its flow. */
@Entity('notifications')
@ForeignKey(() => Event, ['workspace_id', 'event_id'], ['workspace_id', 'id'], {
  name: 'notifications_event_fkey',
  onDelete: 'CASCADE',
})
@Index('notifications_due', ['next_attempt_at'], { where: 'next_attempt_at IS NOT NULL' })
@Index('notifications_waiting', ['workspace_id', 'flow_id', 'next_attempt_at'], {
  where: 'next_attempt_at IS NOT NULL',
})
@Index('notifications_mailed', ['workspace_id', 'flow_id', 'updated_at'], { where: 'attempts > 0' })
@Index('notifications_by_summary', ['workspace_id', 'summary_id'], { where: 'summary_id IS NOT NULL' })
@Check('notifications_status_check', `status IN ('pending', 'collecting', 'collected', 'sent', 'failed', 'dropped')`)
@Check('notifications_next_attempt_check', `(next_attempt_at IS NOT NULL) = (status IN ('pending', 'collecting'))`)
export class Notification {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notifications_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notifications_pkey' })
  event_id: string;

  @Column('uuid')
  flow_id: string;

  @Column('text')
  status: NotificationStatus;

  /** The notification that carries the summary: its event_id. Null for a mail of its own. */
  @Column('uuid', { nullable: true })
  summary_id: string | null;

  /** Attempts that were begun. 0 for those that are in a summary which another one carries. */
  @Column('integer')
  attempts: number;

  /** While an attempt is under way: when another process may take it for lost. */
  @Column('timestamptz', { nullable: true })
  next_attempt_at: Date | null;

  /** Why the last attempt failed: codes of SMTP and of the system, no text. */
  @Column('text', { nullable: true })
  last_error: string | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
