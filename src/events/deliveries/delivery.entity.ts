import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Event } from '../event.entity';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const TRANSPORTS = ['webhook', 'mail'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** An event on its way to a webhook or an e-mail address. */
@Entity('deliveries')
@ForeignKey(() => Event, ['workspace_id', 'event_id'], ['workspace_id', 'id'], {
  name: 'deliveries_event_fkey',
  onDelete: 'CASCADE',
})
@Index('deliveries_by_recipient', ['workspace_id', 'recipient_id', 'event_id'])
@Index('deliveries_undelivered', ['workspace_id', 'recipient_id', 'status', 'event_id'], {
  where: `status <> 'delivered'`,
})
@Index('deliveries_due', ['workspace_id', 'recipient_id', 'next_attempt_at'], { where: `status = 'pending'` })
@Index('deliveries_in_order', ['workspace_id', 'recipient_id', 'flow_session_id', 'event_id'], {
  where: `status = 'pending'`,
})
@Index('deliveries_mails_due', ['next_attempt_at'], { where: `transport = 'mail' AND status = 'pending'` })
@Index('deliveries_mailed', ['workspace_id', 'status', 'updated_at'], {
  where: `transport = 'mail' AND attempts > 0`,
})
@Index('deliveries_by_summary', ['workspace_id', 'summary_id'], { where: 'summary_id IS NOT NULL' })
@Check('deliveries_transport_check', `transport IN ('webhook', 'mail')`)
@Check('deliveries_status_check', `status IN ('pending', 'delivered', 'failed')`)
@Check('deliveries_next_attempt_check', `(next_attempt_at IS NOT NULL) = (status = 'pending')`)
export class Delivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  event_id: string;

  /**
   * The webhook; for a mail the flow with the address, the declaration that the team is told of, or the event whose
   * customer is told.
   */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  recipient_id: string;

  @Column('text')
  transport: TransportName;

  /** The session of the event. Events of one session are delivered in order. */
  @Column('uuid', { nullable: true })
  flow_session_id: string | null;

  @Column('text')
  status: DeliveryStatus;

  /** Attempts that were begun. */
  @Column('integer')
  attempts: number;

  /** While an attempt is under way: when another process may take it for lost. */
  @Column('timestamptz', { nullable: true })
  next_attempt_at: Date | null;

  /** The HTTP status of the last response; null if there was none. */
  @Column('integer', { nullable: true })
  last_status: number | null;

  /** Why the last attempt failed. It may quote the response, which may quote the customer. */
  @Column('text', { nullable: true })
  last_error: string | null;

  /** The event_id of the delivery whose mail covers this event, too. Null if it has a mail of its own. */
  @Column('uuid', { nullable: true })
  summary_id: string | null;

  /** Where the last attempt at a mail went; null if it was dropped. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
