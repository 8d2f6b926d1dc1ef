import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NOW } from '../platform/database/time';
import type { Effect } from '../sessions/effect';
import { FlowSession } from '../sessions/flow-session.entity';
import type { Carrier } from './carried-out-by';

/** `apply` the accepted offer, `cancel` the subscription, or `keep` it, that is, take back a cancellation of ours. */
export type FulfilmentAction = 'apply' | 'cancel' | 'keep';

/**
 * - `pending`: it is being done
 * - `applied`: it is done, by the service or by hand
 * - `dry_run`: it was only written down
 * - `manual`: a person has to do it
 * - `failed`: the billing system refused it
 */
export const STORED_STATES = ['pending', 'applied', 'dry_run', 'manual', 'failed'] as const;
export type StoredState = (typeof STORED_STATES)[number];

/** SQL for the time at which a job that begins now is given up. */
export const GIVE_UP_AT = `${NOW} + interval '3 days'`;

/** A job for billing, and its result: see `billing/`. The step that ends a session writes it. */
@Entity('fulfilments')
@ForeignKey(() => FlowSession, ['workspace_id', 'flow_session_id'], ['workspace_id', 'id'], {
  name: 'fulfilments_session_fkey',
})
@Index('fulfilments_due', ['next_attempt_at'], { where: `state = 'pending'` })
@Index('fulfilments_by_state', ['workspace_id', 'state', 'flow_session_id'])
@Index('fulfilments_by_subscription', ['workspace_id', 'subscription_id', 'created_at'], {
  where: 'subscription_id IS NOT NULL',
})
@Index('fulfilments_waiting', ['workspace_id', 'subscription_id', 'created_at', 'flow_session_id', 'next_attempt_at'], {
  where: `state = 'pending'`,
})
@Index('fulfilments_ending', { synchronize: false })
@Check('fulfilments_action_check', `action IN ('apply', 'cancel', 'keep')`)
@Check('fulfilments_mode_check', `mode IN ('dry_run', 'live')`)
@Check('fulfilments_state_check', `state IN ('pending', 'applied', 'dry_run', 'manual', 'failed')`)
@Check('fulfilments_carried_out_by_check', `carried_out_by IN ('service', 'person', 'nobody')`)
@Check('fulfilments_next_attempt_check', `(next_attempt_at IS NOT NULL) = (state = 'pending')`)
export class Fulfilment {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'fulfilments_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'fulfilments_pkey' })
  flow_session_id: string;

  @Column('text')
  action: FulfilmentAction;

  /** The connection's when the session ended. */
  @Column('text')
  mode: 'dry_run' | 'live';

  @Column('text')
  state: StoredState;

  /** Null if an older version has left it. */
  @Column('text', { nullable: true })
  carried_out_by: Carrier | null;

  /**
   * Of the session, if a token named it. Jobs of one subscription are done one after another. Null once an erased
   * customer's job is done.
   */
  @Column('text', { nullable: true })
  subscription_id: string | null;

  /** The session's customer in billing, who has to own the subscription, even if erased meanwhile. */
  @Column('text', { nullable: true })
  billing_customer_id: string | null;

  @Column('integer')
  attempts: number;

  /** While an attempt is under way, when another process may begin the next one. */
  @Column('timestamptz', { nullable: true })
  next_attempt_at: Date | null;

  @Column('timestamptz')
  give_up_at: Date;

  /** The request to the provider, stored before it is sent. */
  @Column('jsonb', { nullable: true })
  request: object | null;

  /** What it does to the subscription, as the attempt saw it that set out to do it. Null if none did. */
  @Column('jsonb', { nullable: true })
  effect: Effect | null;

  /**
   * The part of their price that the customer pays on average in the year from the decision, by the effect: see
   * `partLeft`. Erasing the customer leaves it: the statistics stay. Null if it is unknown, or if an older version
   * ended the job.
   */
  @Column('double precision', { nullable: true })
  part_left: number | null;

  /** When the workspace was told that the effect ends soon; null before. */
  @Column('timestamptz', { nullable: true })
  ending_told_at: Date | null;

  /** Part of the request's Idempotency-Key: another number is another request. */
  @Column('integer')
  request_number: number;

  /** Why it is in its state, for a person. */
  @Column('text', { nullable: true })
  detail: string | null;

  @Column('timestamptz')
  created_at: Date;

  /** When it came into its state. */
  @Column('timestamptz')
  updated_at: Date;
}
