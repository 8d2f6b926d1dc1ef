import { ApiProperty, PickType } from '@nestjs/swagger';
import { MAX_PAGE, type Page, PageInfo } from '../../common/pagination';
import { pick } from '../../common/pick';
import { anyText, ID, TIMESTAMP, WEB_URL } from '../../common/schemas';
import { SUBSCRIBABLE_TYPES, type SubscribableType } from '../../events/event-types';
import { Webhook, WEBHOOK_STATUSES, type WebhookStatus } from '../webhook.entity';

export const EXAMPLE_WEBHOOK_ID = '019a9f3c-b7c8-7d9e-8f0a-1b2c3d4e5f60';

/** Where a webhook is read. */
export const PATH_OF_WEBHOOK = '/api/v1/public/webhooks/:id';

const SHOWN = [
  'id',
  'url',
  'description',
  'event_types',
  'status',
  'disabled_reason',
  'failing_since',
  'created_at',
  'updated_at',
] as const satisfies (keyof Webhook)[];

/** A webhook without its secret. */
export class WebhookDto {
  @ApiProperty({ ...ID, example: EXAMPLE_WEBHOOK_ID })
  id: string;

  @ApiProperty({ ...WEB_URL, example: 'https://acme.example/webhooks/retention' })
  url: string;

  @ApiProperty({ ...anyText(5000), example: 'Tells our billing system who stays.' })
  description: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...SUBSCRIBABLE_TYPES] },
    uniqueItems: true,
    maxItems: SUBSCRIBABLE_TYPES.length,
    example: ['session.saved', 'session.canceled'],
    description: 'The types of events that are sent. If empty, all but `session.started`.',
  })
  event_types: SubscribableType[];

  @ApiProperty({
    enum: WEBHOOK_STATUSES,
    example: 'enabled',
    description: '`disabled`: nothing is sent but `test`. Events are recorded all the same, and can be recovered.',
  })
  status: WebhookStatus;

  @ApiProperty({
    ...anyText(500),
    nullable: true,
    example: null,
    description: 'Why the service disabled it; null if it did not.',
  })
  disabled_reason: string | null;

  @ApiProperty({
    ...TIMESTAMP,
    nullable: true,
    example: null,
    description: 'The time of the first failed attempt since the last successful one; null if the last one succeeded.',
  })
  failing_since: Date | null;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  updated_at: Date;

  static of(webhook: Webhook): WebhookDto {
    return pick(webhook, SHOWN);
  }
}

export class WebhookListDto extends PageInfo {
  @ApiProperty({ type: [WebhookDto], maxItems: MAX_PAGE })
  webhooks: WebhookDto[];

  static of({ items, next_cursor }: Page<Webhook>): WebhookListDto {
    return { webhooks: items.map((webhook) => WebhookDto.of(webhook)), next_cursor };
  }
}

export class CreatedWebhookDto extends PickType(WebhookDto, ['id', 'url']) {
  @ApiProperty({
    type: 'string',
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    maxLength: 50,
    example: `whsec_${'A'.repeat(43)}=`,
    description:
      'The key that signs what is sent (Standard Webhooks 1.0): `whsec_` and the key in base64. It is shown only here.',
  })
  secret: string;
}

export class RotatedSecretDto extends PickType(CreatedWebhookDto, ['id', 'secret']) {}
