import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { ChoiceField, IdField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Choice, Id, Many, Time } from '../../platform/api/fields/shown';
import { Event } from '../event.entity';
import { EVENT_TYPES, type EventType } from '../../outbox/event-types';
import { Delivery } from '../deliveries/delivery.entity';
import type { EventBody } from '../event-body';
import { MAX_WEBHOOKS } from '../webhooks/webhook.entity';
import { DeliveryStateDto, dueAt, EXAMPLE_EVENT_ID, EXAMPLE_FLOW_SESSION_ID } from '../deliveries/delivery.dto';
import { EVENTS } from './event-body.dto';
import { EXAMPLE_WEBHOOK_ID } from '../webhooks/webhook.dto';

export class ListEventsQuery extends PageQuery {
  @ChoiceField({ description: 'Only events of this type.', values: EVENT_TYPES, optional: true })
  type?: EventType;

  @IdField({ description: 'Only events of the session whose record has this id.', optional: true })
  flow_session_id?: string;
}

export class EventListItemDto {
  @Id('The `webhook-id` of every attempt to send it.', EXAMPLE_EVENT_ID)
  id: string;

  @Choice(EVENT_TYPES, 'A sample of any type is a `test`, and so is an event of a preview.', 'session.saved')
  type: EventType;

  @Id.orNull(
    "The id of the session's record; null if it is not about one. Previews have an id, but no record.",
    EXAMPLE_FLOW_SESSION_ID,
  )
  flow_session_id: string | null;

  @Time('When it happened.', '2026-11-21T09:31:00.000Z')
  created_at: Date;

  static of(event: Event): EventListItemDto {
    return pick(event, ['id', 'type', 'flow_session_id', 'created_at']);
  }
}

export class EventListDto extends PageInfo {
  @Many(EventListItemDto, MAX_PAGE)
  events: EventListItemDto[];

  static of({ items, next_cursor }: Page<Event>): EventListDto {
    return { events: items.map((event) => EventListItemDto.of(event)), next_cursor };
  }
}

export class EventDeliveryDto extends DeliveryStateDto {
  @Id.like(EXAMPLE_WEBHOOK_ID)
  webhook_id: string;

  static of(delivery: Delivery): EventDeliveryDto {
    const { recipient_id: webhook_id, status, attempts, last_status, last_error } = delivery;
    return { webhook_id, status, attempts, last_status, last_error, next_attempt_at: dueAt(delivery) };
  }
}

export interface EventRecord {
  event: Event;
  deliveries: Delivery[];
  /** null if its session or declaration is gone. */
  body: EventBody | null;
}

@ApiExtraModels(...Object.values(EVENTS).map(({ data }) => data))
export class EventDto extends EventListItemDto {
  @Many(EventDeliveryDto, MAX_WEBHOOKS, 'One for each webhook that it is for.')
  deliveries: EventDeliveryDto[];

  @ApiProperty({
    anyOf: [{ $ref: '#/components/schemas/EventBody' }, { type: 'null' }],
    description: 'As it would be sent now; null if the session that it tells of is gone.',
  })
  body: EventBody | null;

  static ofRecord({ event, deliveries, body }: EventRecord): EventDto {
    return { ...EventListItemDto.of(event), deliveries: deliveries.map((one) => EventDeliveryDto.of(one)), body };
  }
}
