import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import { NUMBER_COLUMN } from '../platform/api/fields/money';
import { NOW } from '../platform/database/time';
import type { Facts } from '../conditions/facts';
import { FlowVersion } from '../flows/versions/flow-version.entity';
import type { AcceptedOffer, ShownOffer } from '../offers/shown-offer';
import type { Eligibilities } from './eligibility';
import type { SessionSource } from './session-source';
import { type SessionOutcome, type SessionStatus, statusAt } from './session-status';

/** Details of a customer that the embedding site may give besides the id. */
export interface CustomerDetails {
  email?: string;
  attributes?: Record<string, string | number | boolean | null>;
}

/** SQL for the subscription that a token named; null if only the page named it. */
export const SIGNED_SUBSCRIPTION = `CASE WHEN customer_verified THEN subscription_id END`;

/** One customer's walk through a flow, on the version that was current when the session began. */
@Entity('flow_sessions')
@ForeignKey(() => FlowVersion, ['workspace_id', 'flow_id', 'flow_version'], ['workspace_id', 'flow_id', 'version'], {
  name: 'flow_sessions_flow_version_fkey',
})
@Unique('flow_sessions_session_id_key', ['session_id', 'workspace_id'])
@Index('flow_sessions_idempotency_key', ['workspace_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
@Index('flow_sessions_by_flow', ['flow_id', 'id'])
// On expressions, which only the migration can say.
@Index('flow_sessions_by_customer', { synchronize: false })
@Index('flow_sessions_by_email', { synchronize: false })
@Index('flow_sessions_by_erased_customer', { synchronize: false })
@Index('flow_sessions_accepted', { synchronize: false })
@Index('flow_sessions_accepted_of_subscription', { synchronize: false })
@Index('flow_sessions_by_subscription', ['workspace_id', 'subscription_id', 'id'], {
  where: 'subscription_id IS NOT NULL',
})
@Index(
  'flow_sessions_by_outcome',
  ['workspace_id', 'status', 'id', 'flow_id', 'flow_version', 'ended_at', 'customer_id', 'erased_customer'],
  { where: `status <> 'in_progress'` },
)
@Index('flow_sessions_by_end', ['workspace_id', 'ended_at'], { where: `status <> 'in_progress'` })
@Index('flow_sessions_without_end', ['workspace_id', 'id'], {
  where: `status <> 'in_progress' AND ended_at IS NULL`,
})
@Index('flow_sessions_kept', ['workspace_id', 'kept_at'], { where: 'kept_at IS NOT NULL' })
@Index('flow_sessions_open', ['workspace_id', 'id'], { where: `status = 'in_progress'` })
@Check('flow_sessions_status_check', `status IN ('in_progress', 'saved', 'canceled', 'contacted')`)
@Check('flow_sessions_accepted_offer_check', `accepted_offer IS NULL OR status IN ('saved', 'contacted')`)
@Check('flow_sessions_saved_by_offer_check', 'saved_by_offer = (accepted_offer IS NOT NULL)')
@Check('flow_sessions_customer_verified_check', 'customer_id IS NOT NULL OR NOT customer_verified')
@Check('flow_sessions_erased_customer_check', 'erased_customer IS NULL OR customer_id IS NULL')
@Check('flow_sessions_amount_check', '(monthly_amount IS NULL) = (currency IS NULL)')
@Check('flow_sessions_idempotency_check', '(idempotency_key IS NULL) = (request_hash IS NULL)')
export class FlowSession {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_sessions_pkey' })
  workspace_id: string;

  /** The name of the record, wherever it is read or listed: a UUID v7 of `created_at`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_sessions_pkey' })
  id: string;

  /** The credential that drives the session, known to the customer's page: see `newSessionId`. */
  @Column('uuid')
  session_id: string;

  @Column('uuid')
  flow_id: string;

  @Column('integer')
  flow_version: number;

  /** What began it; null for a page or an app of the customer. */
  @Column('text', { nullable: true })
  source: SessionSource | null;

  /** The language that was asked for, as a tag in canonical form; without any, the flow's. */
  @Column('text', { default: 'en' })
  locale: string;

  /** The status as stored. */
  @Column('text')
  status: SessionOutcome;

  /** The status as it is now: see `statusAt`. */
  @VirtualColumn('text', { query: (session) => statusAt(NOW, session) })
  readonly status_now: SessionStatus;

  /** The node that the customer is at; after the end, the node of the last step. */
  @Column('text')
  current_node_key: string;

  /** The offer at the current node, as it was when the customer got there. */
  @Column('jsonb', { nullable: true })
  presented_offer: ShownOffer | null;

  @Column('jsonb', { nullable: true })
  accepted_offer: AcceptedOffer | null;

  /** Whether there is one: small enough for an index. */
  @Column('boolean', { default: false })
  saved_by_offer: boolean;

  @Column('text', { nullable: true })
  customer_id: string | null;

  @Column('jsonb', { nullable: true })
  customer: CustomerDetails | null;

  /** Whether a token of the workspace's backend named the customer, not the page. False without a customer. */
  @Column('boolean')
  customer_verified: boolean;

  /** The id of the customer's subscription in the billing system. */
  @Column('text', { nullable: true })
  subscription_id: string | null;

  /** The id of the customer in the billing system. Only a token says it. */
  @Column('text', { nullable: true })
  billing_customer_id: string | null;

  /** The customer's monthly price when the session began, in the smallest unit of the currency. */
  @Column('bigint', { nullable: true, transformer: NUMBER_COLUMN })
  monthly_amount: number | null;

  /** ISO 4217, in capital letters. */
  @Column('text', { nullable: true })
  currency: string | null;

  /** Whether a token said the amount. Erasing the customer leaves it: the statistics stay. */
  @Column('boolean', { default: false })
  amount_verified: boolean;

  /** The flow's when the session began; null if the amount is known. */
  @Column('numeric', { precision: 12, scale: 2, nullable: true, transformer: NUMBER_COLUMN })
  estimated_monthly_value: number | null;

  /** What branches could go by when the customer took the first step: see `FACTS`. Null if nothing was known. */
  @Column('jsonb', { nullable: true })
  facts: Facts | null;

  /** Which offers the customer could get, as the billing system said after the start; null if it said nothing. */
  @Column('jsonb', { nullable: true })
  eligibility: Eligibilities | null;

  /**
   * Stands for the customer once erased: a random id, the same in all of their sessions, so that they count as one
   * person.
   */
  @Column('uuid', { nullable: true })
  erased_customer: string | null;

  /**
   * The customer's arms of the splits, by key, if they were erased in this session: they were drawn by the erased id.
   */
  @Column('jsonb', { nullable: true })
  arms: Record<string, string> | null;

  /** The client's key for this start: sending it again returns the same session. */
  @Column('text', { nullable: true })
  idempotency_key: string | null;

  /** SHA-256 of the request that the idempotency key came with. */
  @Column('bytea', { nullable: true })
  request_hash: Buffer | null;

  /** When the customer's data was erased. Comments of later steps are not stored. */
  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;

  @Column('timestamptz')
  created_at: Date;

  /** The time of the last step; before the first step, of the start. In no index, so that a step changes none. */
  @Column('timestamptz')
  updated_at: Date;

  /**
   * The time of the step that ended it. Null until then, and while `SessionEnds` has not dated what an older version
   * ended.
   */
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** When it was reported that a customer stays who was contacted. The session ended when they decided that. */
  @Column('timestamptz', { nullable: true })
  kept_at: Date | null;
}
