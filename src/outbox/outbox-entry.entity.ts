import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventData, EventType } from './event-types';

/**
 * Something that happened and is not an event yet: written in the transaction of what happened, and deleted in the one
 * that makes it an event, or several: a batch of starts has one entry.
 */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'outbox_pkey' })
  workspace_id: string;

  /** The id of the event, or of the first one: see `EVENT_ID`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'outbox_pkey' })
  id: string;

  @Column('text')
  type: EventType;

  /** The sessions that it is about: an event for each of them. */
  @Column('uuid', { array: true, nullable: true })
  flow_session_ids: string[] | null;

  @Column('jsonb', { nullable: true })
  data: EventData[keyof EventData] | null;

  @Column('timestamptz')
  created_at: Date;
}
