import { ApiProperty } from '@nestjs/swagger';
import { TIMESTAMP } from '../../common/schemas';
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

export class SessionStartedDto extends EventBodyDto {
  @TypeField('session.started')
  type: 'session.started';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class SessionSavedDto extends EventBodyDto {
  @TypeField('session.saved')
  type: 'session.saved';

  @ApiProperty({ type: SavedSessionDataDto })
  data: SavedSessionDataDto;
}

export class SessionCanceledDto extends EventBodyDto {
  @TypeField('session.canceled')
  type: 'session.canceled';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class SessionAbandonedDto extends EventBodyDto {
  @TypeField('session.abandoned')
  type: 'session.abandoned';

  @ApiProperty({ type: SessionDataDto })
  data: SessionDataDto;
}

export class LimitApproachingDto extends EventBodyDto {
  @TypeField('workspace.limit_approaching')
  type: 'workspace.limit_approaching';

  @ApiProperty({ type: LimitDataDto })
  data: LimitDataDto;
}

export class LimitReachedDto extends EventBodyDto {
  @TypeField('workspace.limit_reached')
  type: 'workspace.limit_reached';

  @ApiProperty({ type: LimitDataDto })
  data: LimitDataDto;
}

export class FlowPublishedDto extends EventBodyDto {
  @TypeField('flow.published')
  type: 'flow.published';

  @ApiProperty({ type: FlowDataDto })
  data: FlowDataDto;
}

export class FlowArchivedDto extends EventBodyDto {
  @TypeField('flow.archived')
  type: 'flow.archived';

  @ApiProperty({ type: FlowDataDto })
  data: FlowDataDto;
}

export class CustomerErasedDto extends EventBodyDto {
  @TypeField('customer.erased')
  type: 'customer.erased';

  @ApiProperty({ type: ErasureDataDto })
  data: ErasureDataDto;
}

export class WebhookDisabledDto extends EventBodyDto {
  @TypeField('webhook.disabled')
  type: 'webhook.disabled';

  @ApiProperty({ type: DisabledWebhookDataDto })
  data: DisabledWebhookDataDto;
}

export class TestDto extends EventBodyDto {
  @TypeField('test')
  type: 'test';

  @ApiProperty({ type: TestDataDto })
  data: TestDataDto;
}

/** The body of each type of event. */
export const EVENT_BODIES: Record<EventType, typeof EventBodyDto> = {
  'session.started': SessionStartedDto,
  'session.saved': SessionSavedDto,
  'session.canceled': SessionCanceledDto,
  'session.abandoned': SessionAbandonedDto,
  'workspace.limit_approaching': LimitApproachingDto,
  'workspace.limit_reached': LimitReachedDto,
  'flow.published': FlowPublishedDto,
  'flow.archived': FlowArchivedDto,
  'customer.erased': CustomerErasedDto,
  'webhook.disabled': WebhookDisabledDto,
  test: TestDto,
};
