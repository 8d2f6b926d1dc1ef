import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { NUMBER_COLUMN } from '../../platform/api/fields/money';
import type { ProviderName } from '../../billing-jobs/billing-connection.entity';

export const OUTCOME_TYPES = ['canceled', 'paid', 'paused', 'kept'] as const;
export type OutcomeType = (typeof OUTCOME_TYPES)[number];

/** How long the subscriptions of saved customers are read: as long as is said of how many stay. */
export const WATCHED_DAYS = 180;

/** What became of a customer after a session, as the workspace or its billing reports it. */
@Entity('outcomes')
@Index('outcomes_by_customer', ['workspace_id', 'customer_id', 'at'], { where: 'customer_id IS NOT NULL' })
@Index('outcomes_by_erased_customer', ['workspace_id', 'erased_customer', 'at'], {
  where: 'erased_customer IS NOT NULL',
})
@Index('outcomes_by_time', ['workspace_id', 'at'])
@Index('outcomes_provisional', ['workspace_id', 'customer_id'], { where: 'is_provisional' })
@Check('outcomes_customer_check', '(customer_id IS NULL) <> (erased_customer IS NULL)')
@Check('outcomes_type_check', `type IN ('canceled', 'paid', 'paused', 'kept')`)
@Check('outcomes_amount_check', '(amount IS NULL) = (currency IS NULL)')
export class Outcome {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'outcomes_pkey' })
  workspace_id: string;

  /** The workspace's own, such as that of an invoice. A random one after the customer was erased. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'outcomes_pkey' })
  id: string;

  @Column('text', { nullable: true })
  customer_id: string | null;

  /** Stands for the customer once erased: the same as in the sessions. */
  @Column('uuid', { nullable: true })
  erased_customer: string | null;

  @Column('text')
  type: OutcomeType;

  @Column('timestamptz')
  at: Date;

  /** In the smallest unit of the currency. */
  @Column('bigint', { nullable: true, transformer: NUMBER_COLUMN })
  amount: number | null;

  /** ISO 4217, in capital letters. */
  @Column('text', { nullable: true })
  currency: string | null;

  /** The billing system that reported it; null if the workspace reported it, or an older version stored it. */
  @Column('text', { nullable: true })
  provider: ProviderName | null;

  /** Whether a `canceled` may be taken back: the subscription has not ended. */
  @Column('boolean', { default: false })
  is_provisional: boolean;

  @Column('timestamptz')
  created_at: Date;
}
