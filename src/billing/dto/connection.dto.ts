import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, TextField } from '../../platform/api/fields/fields';
import { Choice, Count, Flag, Text, Time, True } from '../../platform/api/fields/shown';
import {
  type BillingConnection,
  DEFAULT_PROVIDER,
  type Mode,
  MODES,
  type Permission,
  PERMISSIONS,
  type Proration,
  PRORATIONS,
  type ProviderName,
  PROVIDERS,
  UNPAID_ON_CANCEL,
  type UnpaidOnCancel,
} from '../../billing-jobs/billing-connection.entity';

const DESCRIPTIONS = {
  provider: 'The billing system.',
  mode: '`dry_run`: what would be sent is written down, and nothing is sent. `live`: it is carried out.',
  proration:
    'When a change of plan comes, and what it costs in the current period: `create_prorations` puts the difference on the next invoice, ' +
    '`always_invoice` bills it at once, `none` leaves it. With `at_period_end`, the plan changes when the period ends, and nothing is ' +
    'prorated; the key needs `schedules_write`.',
  unpaid_on_cancel:
    'What becomes of the open invoices of a subscription that is not paid when its customer cancels: `leave`, as the billing system has it, ' +
    'or `void`, for which the key needs `invoices_write`.',
  account:
    'The connected account whose subscriptions they are (`acct_…`), where the key is that of a platform. Links to the dashboard name it, ' +
    'too. null: the account of the key.',
};

const MAX_TEXT = 255;

/** Problems of a connection that need a person. */
export const ATTENTIONS = ['key_refused', 'webhook_version'] as const;
export type Attention = (typeof ATTENTIONS)[number];

class ConnectionFieldsDto {
  @ChoiceField({
    description: DESCRIPTIONS.provider,
    values: PROVIDERS,
    example: DEFAULT_PROVIDER,
    default: DEFAULT_PROVIDER,
  })
  provider: ProviderName;

  @TextField({
    description:
      'A restricted key (`rk_…`), needed the first time. It is stored encrypted, and never shown again. Permissions: ' +
      'Subscriptions write, Coupons write, Invoices read, Customers read, Prices read, Products read, and, with `proration: at_period_end`, Subscription schedules write: see `missing_permissions`. A secret key (`sk_…`), which may do everything, is refused.',
    example: 'rk_test_51Q2w3E4r5T6y7U8',
    max: MAX_TEXT,
    blank: true,
  })
  api_key: string;

  @ChoiceField({ description: DESCRIPTIONS.mode, values: MODES, example: 'dry_run', default: 'dry_run' })
  mode: Mode;

  @ChoiceField({
    description: DESCRIPTIONS.proration,
    values: PRORATIONS,
    example: 'create_prorations',
    default: 'create_prorations',
  })
  proration: Proration;

  @ChoiceField({
    description: DESCRIPTIONS.unpaid_on_cancel,
    values: UNPAID_ON_CANCEL,
    example: 'leave',
    default: 'leave',
  })
  unpaid_on_cancel: UnpaidOnCancel;

  @TextField({
    description: DESCRIPTIONS.account,
    example: 'acct_1Q2w3E4r5T6y7U8',
    max: MAX_TEXT,
    blank: true,
    nullable: true,
    default: null,
  })
  account: string | null;

  @TextField({
    description:
      "The signing secret of the billing system's webhook (`whsec_…`), so that cancellations and payments are known at once; null: once a day.",
    example: 'whsec_51Q2w3E4r5T6y7U8',
    max: MAX_TEXT,
    blank: true,
    nullable: true,
  })
  webhook_secret: string | null;
}

export class SetConnectionDto extends PartialType(ConnectionFieldsDto, { skipNullProperties: false }) {}

export class BillingConnectionDto {
  @Choice(PROVIDERS, DESCRIPTIONS.provider, DEFAULT_PROVIDER)
  provider: ProviderName;

  @Choice(MODES, DESCRIPTIONS.mode, 'dry_run')
  mode: Mode;

  @Choice(PRORATIONS, DESCRIPTIONS.proration, 'create_prorations')
  proration: Proration;

  @Choice(UNPAID_ON_CANCEL, DESCRIPTIONS.unpaid_on_cancel, 'leave')
  unpaid_on_cancel: UnpaidOnCancel;

  @Text.orNull(255, DESCRIPTIONS.account, null)
  account: string | null;

  @Text(4, 'The last four characters of the key.', 'y7U8')
  last_four: string;

  @Flag('Whether the key is for real money (`rk_live_…`).', false)
  is_live: boolean;

  @Flag('false: the `ENCRYPTION_KEY` that the key was stored with is lost. Set the key again.', true)
  is_readable: boolean;

  @Choice.orNull(
    ATTENTIONS,
    '`key_refused`: the billing system refuses the key. What customers decide waits until another one is set. ' +
      '`webhook_version`: the webhook speaks another version of the interface than this service, so something it says may be missed ' +
      'until the next day. Create it again with the version in the docs. null: all is well.',
    null,
  )
  attention: Attention | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...PERMISSIONS] },
    maxItems: PERMISSIONS.length,
    example: [],
    description:
      'What the key may not do. Without `subscriptions_write`, everything is left to a person. Without `customers_read`, a discount is, ' +
      'because one that the customer has may be lost; without `coupons_write`, one that names no coupon of yours. Without `prices_read`, a change of plan is. Without `products_read`, no branch goes by the `plan`. `invoices_write` is only named with `unpaid_on_cancel: void`, and `schedules_write` with `proration: at_period_end`.',
  })
  missing_permissions: Permission[];

  @Count(
    'Subscriptions of saved customers of which the billing system said nothing when all were read last, such as because it answers 500. ' +
      'They are passed over, and read again a day later. The log names them.',
    0,
  )
  unread_subscriptions: number;

  @Text(
    200,
    'The path of this service that the webhook at the provider should call.',
    '/api/v1/billing/stripe/webhook/019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  )
  webhook_path: string;

  @Flag('Whether there is a secret for the webhook.', false)
  has_webhook_secret: boolean;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  static of(connection: BillingConnection & { is_readable: boolean }): BillingConnectionDto {
    const { workspace_id, provider, mode, proration, last_four, is_live, is_readable } = connection;
    const { webhook_secret, created_at, updated_at } = connection;
    return {
      provider,
      mode,
      proration,
      unpaid_on_cancel: connection.unpaid_on_cancel,
      account: connection.account,
      last_four,
      is_live,
      is_readable,
      attention: connection.key_refused_at ? 'key_refused' : connection.webhook_version ? 'webhook_version' : null,
      missing_permissions: connection.missing_permissions.filter((permission) => isNeeded(permission, connection)),
      unread_subscriptions: connection.unread_subscriptions.length,
      webhook_path: `/api/v1/billing/${provider}/webhook/${workspace_id}`,
      has_webhook_secret: webhook_secret !== null,
      created_at,
      updated_at,
    };
  }
}

/** Some permissions are for one setting alone. */
function isNeeded(permission: Permission, { proration, unpaid_on_cancel }: BillingConnection): boolean {
  if (permission === 'invoices_write') return unpaid_on_cancel === 'void';
  return permission !== 'schedules_write' || proration === 'at_period_end';
}

export class DisconnectedDto {
  @True()
  deleted: true;
}

export const ApiConnection = () =>
  ApiExamples(SetConnectionDto, {
    'write down what would be sent': { provider: 'stripe', api_key: 'rk_test_51Q2w3E4r5T6y7U8', mode: 'dry_run' },
    'carry it out': { mode: 'live' },
    'hear of payments at once': { webhook_secret: 'whsec_51Q2w3E4r5T6y7U8' },
  });
