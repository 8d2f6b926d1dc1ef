import { ApiProperty } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, TimestampField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { AnyText, Choice, Count, Id, Many, Time } from '../../platform/api/fields/shown';
import { integer } from '../../platform/api/fields/schemas';
import { EVENT_TYPES, type EventType } from '../../outbox/event-types';
import { Delivery, DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity';

export const EXAMPLE_EVENT_ID = '019a9f3c-c8d9-7eaf-9b1c-2d3e4f5a6b70';
export const EXAMPLE_FLOW_SESSION_ID = '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f';

const LISTED = [
  'event_id',
  'type',
  'flow_session_id',
  'status',
  'attempts',
  'last_status',
  'last_error',
  'next_attempt_at',
  'created_at',
  'updated_at',
] as const;

export type ListedDelivery = Pick<Delivery & { type: EventType }, (typeof LISTED)[number]>;

export class ListDeliveriesQuery extends PageQuery {
  @ChoiceField({ description: 'Only deliveries with this status.', values: DELIVERY_STATUSES, optional: true })
  status?: DeliveryStatus;
}

/** When the next attempt is due. The row of a test has a time long ago, so that it comes before everything else. */
export function dueAt({ next_attempt_at, updated_at }: Pick<Delivery, 'next_attempt_at' | 'updated_at'>): Date | null {
  return next_attempt_at && next_attempt_at < updated_at ? updated_at : next_attempt_at;
}

/** How the delivery of an event to a webhook goes. */
export class DeliveryStateDto {
  @Choice(
    DELIVERY_STATUSES,
    '`pending`: another attempt will be made. `failed`: none will, unless it is recovered or redelivered.',
    'delivered',
  )
  status: DeliveryStatus;

  @Count('The number of attempts so far, without those at which the receiver limited (429).', 1)
  attempts: number;

  @ApiProperty({
    ...integer(100, 999),
    nullable: true,
    example: 204,
    description: 'The HTTP status of the last response; null if there was none.',
  })
  last_status: number | null;

  @AnyText.orNull(
    5000,
    'Why the last attempt failed, or what the receiver said when it limited; null if neither.',
    null,
  )
  last_error: string | null;

  @Time.orNull('When the next attempt is due; null if none is.', null)
  next_attempt_at: Date | null;
}

export class DeliveryListItemDto extends DeliveryStateDto {
  @Id('The `webhook-id` of every attempt.', EXAMPLE_EVENT_ID)
  event_id: string;

  @Choice.like(EVENT_TYPES, 'session.saved')
  type: EventType;

  @Id.orNull("The id of the session's record; null if the event is not about one.", EXAMPLE_FLOW_SESSION_ID)
  flow_session_id: string | null;

  @Time.like('2026-11-21T09:31:00.000Z')
  created_at: Date;

  @Time.like('2026-11-21T09:31:01.000Z')
  updated_at: Date;
}

export class DeliveryListDto extends PageInfo {
  @Many(DeliveryListItemDto, MAX_PAGE)
  deliveries: DeliveryListItemDto[];

  static of({ items, next_cursor }: Page<ListedDelivery>): DeliveryListDto {
    const deliveries = items.map((delivery) => ({
      ...pick(delivery, LISTED),
      next_attempt_at: dueAt(delivery),
    }));
    return { deliveries, next_cursor };
  }
}

export class RecoverDto {
  @TimestampField({ description: 'Events of this time and later.', example: '2025-01-01T00:00:00Z' })
  since: string;

  @TimestampField({
    description: 'Events before this time. Without it, all up to now.',
    example: '2025-01-02T00:00:00Z',
    optional: true,
  })
  until?: string;
}

export const ApiRecovery = () =>
  ApiExamples(RecoverDto, {
    'up to now': { since: '2025-01-01T00:00:00Z' },
    'a day': { since: '2025-01-01T00:00:00Z', until: '2025-01-02T00:00:00Z' },
  });

export class QueuedDeliveriesDto {
  @Count('The number of deliveries that are due now.', 3)
  deliveries: number;
}

export class WebhookTestDto {
  @ChoiceField({
    description: 'The type of event to send a sample of.',
    values: EVENT_TYPES,
    example: 'session.saved',
    default: 'test',
    optional: true,
  })
  type: EventType = 'test';
}

export const ApiTest = () =>
  ApiExamples(WebhookTestDto, { 'a sample of a type': { type: 'session.saved' }, 'a test': { type: 'test' } });

export class QueuedTestDto {
  @Id.like(EXAMPLE_EVENT_ID)
  event_id: string;
}
