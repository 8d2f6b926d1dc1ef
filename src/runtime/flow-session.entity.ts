import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { NOW } from '../database/time';
import { FlowVersion } from '../flows/flow-version.entity';
import type { SessionOutcome } from './next-step';
import type { PresentedOffer } from './presented-offer';
import { type SessionStatus, statusAt } from './session-status';

/** What the embedding site may tell of a customer besides the id. */
export interface CustomerDetails {
  email?: string;
  attributes?: Record<string, string | number | boolean | null>;
}

/** One customer on the way through a flow, on the version that was current when the session began. */
@Entity('flow_sessions')
@ForeignKey(() => FlowVersion, ['workspace_id', 'flow_id', 'flow_version'], ['workspace_id', 'flow_id', 'version'], {
  name: 'flow_sessions_flow_version_fkey',
})
@Index('flow_sessions_idempotency_key', ['workspace_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
@Index('flow_sessions_by_time', ['workspace_id', 'created_at'])
@Index('flow_sessions_by_flow', ['workspace_id', 'flow_id', 'created_at'])
@Index('flow_sessions_by_customer', ['workspace_id', 'customer_id'], { where: 'customer_id IS NOT NULL' })
@Index('flow_sessions_by_outcome', ['workspace_id', 'status', 'created_at'], { where: `status <> 'in_progress'` })
@Index('flow_sessions_by_last_step', ['workspace_id', 'updated_at'], { where: `status = 'in_progress'` })
@Check('flow_sessions_status_check', `status IN ('in_progress', 'saved', 'canceled')`)
@Check('flow_sessions_accepted_offer_check', `accepted_offer IS NULL OR status = 'saved'`)
@Check('flow_sessions_idempotency_check', '(idempotency_key IS NULL) = (request_hash IS NULL)')
export class FlowSession {
  /** Random, because whoever knows it holds the session; looked up by itself alone, so it comes first. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_sessions_pkey' })
  id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'flow_sessions_pkey' })
  workspace_id: string;

  @Column('uuid')
  flow_id: string;

  @Column('integer')
  flow_version: number;

  /** As it was written. */
  @Column('text')
  status: SessionOutcome;

  /** As it is by now. */
  @VirtualColumn('text', { query: (session) => statusAt(NOW, session) })
  readonly status_now: SessionStatus;

  /** Where the customer stands; after the end, where the last step was taken. */
  @Column('text')
  current_node_key: string;

  /** The offer at the current node, as it was when the customer came there. */
  @Column('jsonb', { nullable: true })
  presented_offer: PresentedOffer | null;

  @Column('jsonb', { nullable: true })
  accepted_offer: PresentedOffer | null;

  @Column('text', { nullable: true })
  customer_id: string | null;

  @Column('jsonb', { nullable: true })
  customer: CustomerDetails | null;

  /** The client's own key for this start, by which it can ask again and get the same session. */
  @Column('text', { nullable: true })
  idempotency_key: string | null;

  /** SHA-256 of the request that the idempotency key came with. */
  @Column('bytea', { nullable: true })
  request_hash: Buffer | null;

  /** When what identifies the customer was erased; comments are not kept from then on. */
  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;

  @Column('timestamptz')
  created_at: Date;

  /** The time of the last step, or of the start. */
  @Column('timestamptz')
  updated_at: Date;
}
