import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Workspace } from '../workspaces/workspace.entity';

export const PROVIDERS = ['stripe'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
/** The one of a connection that names none. */
export const DEFAULT_PROVIDER: ProviderName = 'stripe';

export const MODES = ['dry_run', 'live'] as const;
export type Mode = (typeof MODES)[number];

export const PRORATIONS = ['create_prorations', 'always_invoice', 'none', 'at_period_end'] as const;
export type Proration = (typeof PRORATIONS)[number];

/** What becomes of the open invoices of a subscription that is canceled: they stay open, or are voided. */
export const UNPAID_ON_CANCEL = ['leave', 'void'] as const;
export type UnpaidOnCancel = (typeof UNPAID_ON_CANCEL)[number];

/**
 * Permissions that a key may lack. Without `customers_read`, discounts are left to a person; without `prices_read`,
 * changes of a plan; without `coupons_write`, discounts that name no coupon; without `subscriptions_write`, all;
 * without `invoices_write`, cancellations that void invoices; without `schedules_write`, changes of a plan that come
 * at the end of a period. Without `products_read`, no branch goes by the plan.
 */
export const PERMISSIONS = [
  'customers_read',
  'prices_read',
  'products_read',
  'subscriptions_write',
  'coupons_write',
  'invoices_write',
  'schedules_write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** How the service reaches the billing system of a workspace. */
@Entity('billing_connections')
@ForeignKey(() => Workspace, ['workspace_id'], ['id'], { name: 'billing_connections_workspace_id_fkey' })
@Check('billing_connections_provider_check', `provider IN ('stripe')`)
@Check('billing_connections_mode_check', `mode IN ('dry_run', 'live')`)
@Check(
  'billing_connections_proration_check',
  `proration IN ('create_prorations', 'always_invoice', 'none', 'at_period_end')`,
)
@Check('billing_connections_unpaid_on_cancel_check', `unpaid_on_cancel IN ('leave', 'void')`)
export class BillingConnection {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'billing_connections_pkey' })
  workspace_id: string;

  @Column('text')
  provider: ProviderName;

  @Column('text')
  mode: Mode;

  /** When a change of plan comes, and how it is charged in the current period. */
  @Column('text')
  proration: Proration;

  @Column('text', { default: 'leave' })
  unpaid_on_cancel: UnpaidOnCancel;

  /** The account whose subscriptions they are, where the key is that of a platform; null: that of the key. */
  @Column('text', { nullable: true })
  account: string | null;

  /** Encrypted, as the next secret is: see `Keyring`. */
  @Column('bytea')
  api_key: Buffer;

  /** The last characters of the key. */
  @Column('text')
  last_four: string;

  /** Whether the key is for real money. */
  @Column('boolean')
  is_live: boolean;

  @Column('bytea', { nullable: true })
  webhook_secret: Buffer | null;

  /** Permissions that the key turned out to lack. */
  @Column('text', { array: true, default: '{}' })
  missing_permissions: Permission[];

  /** Since when the provider refuses the key; null while it does not. */
  @Column('timestamptz', { nullable: true })
  key_refused_at: Date | null;

  /** The subscriptions of saved customers of which the billing system said nothing when they were read last. */
  @Column('text', { array: true, default: '{}' })
  unread_subscriptions: string[];

  /** The version of the interface that the provider's webhook speaks, if it is not the one of this service. */
  @Column('text', { nullable: true })
  webhook_version: string | null;

  /** The last session of this sweep whose subscription was read; null before the first. */
  @Column('uuid', { nullable: true })
  swept_until: string | null;

  @Column('timestamptz')
  next_sweep_at: Date;

  @Column('timestamptz')
  created_at: Date;

  @Column('timestamptz')
  updated_at: Date;
}
