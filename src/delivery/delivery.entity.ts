import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Event } from '../events/event.entity';
import { Webhook } from './webhook.entity';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event on its way to a webhook. */
@Entity('deliveries')
@ForeignKey(() => Event, ['workspace_id', 'event_id'], ['workspace_id', 'id'], {
  name: 'deliveries_event_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Webhook, ['workspace_id', 'webhook_id'], ['workspace_id', 'id'], {
  name: 'deliveries_webhook_fkey',
  onDelete: 'CASCADE',
})
@Index('deliveries_by_webhook', ['workspace_id', 'webhook_id', 'event_id'])
@Index('deliveries_undelivered', ['workspace_id', 'webhook_id', 'status', 'event_id'], {
  where: `status <> 'delivered'`,
})
@Index('deliveries_due', ['workspace_id', 'webhook_id', 'next_attempt_at'], { where: `status = 'pending'` })
@Index('deliveries_in_order', ['workspace_id', 'webhook_id', 'flow_session_id', 'event_id'], {
  where: `status = 'pending'`,
})
@Check('deliveries_status_check', `status IN ('pending', 'delivered', 'failed')`)
@Check('deliveries_next_attempt_check', `(next_attempt_at IS NOT NULL) = (status = 'pending')`)
export class Delivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  event_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pkey' })
  webhook_id: string;

  /** Of the event. Those of one session are delivered in order. */
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

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
