import { ApiProperty } from '@nestjs/swagger';
import { oneOfBy, TIMESTAMP } from '../../common/schemas';
import type { EventType } from '../../events/event-types';
import {
  DisabledWebhookDataDto,
  ErasureDataDto,
  FlowDataDto,
  LimitDataDto,
  SavedSessionDataDto,
  SessionDataDto,
  TestDataDto,
} from './event-data.dto';

const TypeField = (type: EventType) => ApiProperty({ type: 'string', enum: [type] });

/** What is sent of an event (Standard Webhooks 1.0). */
export class EventBodyDto {
  @ApiProperty({ ...TIMESTAMP, description: 'When it happened, however late it is sent.' })
  timestamp: string;
}

export class SessionStartedEventDto extends EventBodyDto {
  @TypeField('session.started')
  type: 'session.started';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class SessionSavedEventDto extends EventBodyDto {
  @TypeField('session.saved')
  type: 'session.saved';

  @ApiProperty({ type: SavedSessionDataDto })
  data: SavedSessionDataDto;
}

export class SessionCanceledEventDto extends EventBodyDto {
  @TypeField('session.canceled')
  type: 'session.canceled';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class SessionAbandonedEventDto extends EventBodyDto {
  @TypeField('session.abandoned')
  type: 'session.abandoned';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class LimitApproachingEventDto extends EventBodyDto {
  @TypeField('workspace.limit_approaching')
  type: 'workspace.limit_approaching';

  @ApiProperty({ type: LimitDataDto })
  data: LimitDataDto;
}

export class LimitReachedEventDto extends EventBodyDto {
  @TypeField('workspace.limit_reached')
  type: 'workspace.limit_reached';

  @ApiProperty({ type: LimitDataDto })
  data: LimitDataDto;
}

export class FlowPublishedEventDto extends EventBodyDto {
  @TypeField('flow.published')
  type: 'flow.published';

  @ApiProperty({ type: FlowDataDto })
  data: FlowDataDto;
}

export class FlowArchivedEventDto extends EventBodyDto {
  @TypeField('flow.archived')
  type: 'flow.archived';

  @ApiProperty({ type: FlowDataDto })
  data: FlowDataDto;
}

export class CustomerErasedEventDto extends EventBodyDto {
  @TypeField('customer.erased')
  type: 'customer.erased';

  @ApiProperty({ type: ErasureDataDto })
  data: ErasureDataDto;
}

export class WebhookDisabledEventDto extends EventBodyDto {
  @TypeField('webhook.disabled')
  type: 'webhook.disabled';

  @ApiProperty({ type: DisabledWebhookDataDto })
  data: DisabledWebhookDataDto;
}

export class TestEventDto extends EventBodyDto {
  @TypeField('test')
  type: 'test';

  @ApiProperty({ type: TestDataDto })
  data: TestDataDto;
}

/** The body of each type of event. */
export const EVENT_BODIES = {
  'session.started': SessionStartedEventDto,
  'session.saved': SessionSavedEventDto,
  'session.canceled': SessionCanceledEventDto,
  'session.abandoned': SessionAbandonedEventDto,
  'workspace.limit_approaching': LimitApproachingEventDto,
  'workspace.limit_reached': LimitReachedEventDto,
  'flow.published': FlowPublishedEventDto,
  'flow.archived': FlowArchivedEventDto,
  'customer.erased': CustomerErasedEventDto,
  'webhook.disabled': WebhookDisabledEventDto,
  test: TestEventDto,
} satisfies Record<EventType, typeof EventBodyDto>;

/** A body in the OpenAPI document. */
export const EVENT_BODY_SCHEMA = {
  description: 'What is sent of an event, by its `type`.',
  ...oneOfBy('type', EVENT_BODIES),
};
