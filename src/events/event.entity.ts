import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventData, EventType } from '../outbox/event-types';

/**
 * An event, as integrators see it. It refers to rows, and contains no data of a customer. The event of a preview
 * contains everything.
 */
@Entity('events')
@Index('events_by_type', ['workspace_id', 'type', 'id'])
@Index('events_by_session', ['workspace_id', 'flow_session_id', 'id'], { where: 'flow_session_id IS NOT NULL' })
@Index('events_by_age', ['created_at'])
export class Event {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'events_pkey' })
  workspace_id: string;

  /** The `webhook-id` of every attempt. A UUID v7 of the time when it happened: see `EVENT_ID`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column('text')
  type: EventType;

  /** The session that it is about. There is no foreign key, so that old sessions can be deleted. */
  @Column('uuid', { nullable: true })
  flow_session_id: string | null;

  @Column('jsonb', { nullable: true })
  data: EventData[keyof EventData] | null;

  /** When it happened. */
  @Column('timestamptz')
  created_at: Date;
}
