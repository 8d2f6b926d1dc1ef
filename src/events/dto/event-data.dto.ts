import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LOCALE } from '../../platform/api/language-fields';
import type { Metadata } from '../../platform/api/metadata';
import {
  anyText,
  ATTRIBUTES,
  COUNT,
  EMAIL,
  filledText,
  ID,
  integer,
  METADATA,
  TIMESTAMP,
} from '../../platform/api/schemas';
import { MAX_ERASED } from '../outbox/event-types';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import { MAX_NODES } from '../../flows/graph-limits';
import { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import { FulfilmentDto } from '../../billing/dto/fulfilment.dto';
import { AnswerDto, SAVED_REASONS, type SavedReason } from '../../runtime/answers';
import type { CustomerDetails } from '../../runtime/sessions/flow-session.entity';
import { SESSION_STATUSES, type SessionStatus } from '../../runtime/sessions/session-status';

export class EventCustomerDto {
  @ApiProperty({ ...filledText(200), description: "The customer's id in your own system." })
  id: string;

  @ApiProperty({ ...EMAIL, nullable: true, description: 'null if none was sent.' })
  email: string | null;

  @ApiProperty({ ...ATTRIBUTES, description: 'What else was said about the customer.' })
  attributes: NonNullable<CustomerDetails['attributes']>;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether your backend signed all this with a customer key. false: the page said so.',
  })
  verified: boolean;
}

export class EventSessionDto {
  @ApiProperty({ ...ID, description: "The id of the session's record, as in `GET /api/v1/public/sessions/{id}`." })
  id: string;

  @ApiProperty({ enum: SESSION_STATUSES, description: 'The status when the event happened, however late it is sent.' })
  status: SessionStatus;

  @ApiProperty({ ...ID, description: 'The flow that the session is on.' })
  flow_id: string;

  @ApiProperty({ ...integer(1), description: 'The version of the flow that the session stays on.' })
  flow_version: number;

  @ApiProperty({ ...LOCALE, description: "The customer's language, in which the answers are worded." })
  locale: string;

  @ApiProperty({ ...TIMESTAMP, description: 'When the session started.' })
  started_at: Date;

  @ApiProperty({
    ...TIMESTAMP,
    nullable: true,
    description: 'When it was saved or canceled; null if it is neither, as after `session.abandoned`.',
  })
  ended_at: Date | null;

  @ApiProperty({
    type: EventCustomerDto,
    nullable: true,
    description: 'null if the page named no customer, or the customer was erased.',
  })
  customer: EventCustomerDto | null;
}

export class SessionDataDto {
  @ApiProperty({ type: EventSessionDto })
  session: EventSessionDto;

  @ApiProperty({ type: [AnswerDto], maxItems: MAX_NODES, description: 'The answers so far, oldest first.' })
  answers: AnswerDto[];

  @ApiProperty({
    type: OfferRecordDto,
    nullable: true,
    description: 'The offer that the customer accepted, as it was shown; null if none was.',
  })
  accepted_offer: OfferRecordDto | null;

  @ApiPropertyOptional({
    enum: [true],
    type: 'boolean',
    description: 'The body would have been larger than 20 kB, so texts were cut. Read the session for the whole.',
  })
  truncated?: true;
}

export class FulfilmentDataDto extends SessionDataDto {
  @ApiProperty({ type: FulfilmentDto, description: 'What became of it, as it is when the event is sent.' })
  fulfilment: FulfilmentDto;
}

export class SavedSessionDataDto extends SessionDataDto {
  @ApiProperty({
    enum: SAVED_REASONS,
    description: '`kept`: the customer kept the subscription without an offer.',
  })
  reason: SavedReason;
}

export class EventWorkspaceDto {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({ ...COUNT, description: 'Sessions that may start in a calendar month (UTC).' })
  session_limit: number;

  @ApiProperty({ ...COUNT, description: 'Sessions that had started in the month.' })
  sessions_used: number;

  @ApiProperty({ ...TIMESTAMP, description: 'Start of the month, inclusive.' })
  period_start: string;

  @ApiProperty({ ...TIMESTAMP, description: 'End of the month, exclusive: the count starts again.' })
  period_end: string;
}

export class LimitDataDto {
  @ApiProperty({ type: EventWorkspaceDto })
  workspace: EventWorkspaceDto;
}

export class EventFlowDto {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({ ...filledText(69), description: 'The widget starts sessions with it.' })
  slug: string;

  @ApiProperty({ ...integer(1), description: 'The version that was current when the event happened.' })
  version: number;

  @ApiProperty(filledText(200))
  name: string;

  @ApiProperty(filledText(200))
  product_name: string;

  @ApiProperty({ ...METADATA, description: 'The metadata of the flow when it is sent.' })
  metadata: Metadata;
}

export class FlowDataDto {
  @ApiProperty({ type: EventFlowDto })
  flow: EventFlowDto;
}

class PublishedFlowDto extends EventFlowDto {
  @ApiProperty({ ...filledText(1000), nullable: true, description: 'What is new and why; null without a note.' })
  note: string | null;
}

export class PublishedFlowDataDto {
  @ApiProperty({ type: PublishedFlowDto })
  flow: PublishedFlowDto;
}

export class DeclarationDataDto {
  @ApiProperty({ type: DeclarationDto, description: 'The declaration as it is when the event is sent.' })
  declaration: DeclarationDto;
}

export class ErasedSessionDto {
  @ApiProperty({ ...ID, description: "The id of the session's record." })
  id: string;
}

export class ErasureDataDto {
  @ApiProperty({
    type: [ErasedSessionDto],
    maxItems: MAX_ERASED,
    description: 'The sessions that the customer was erased from. Erase what earlier events told you of them.',
  })
  sessions: ErasedSessionDto[];
}

export class DisabledWebhookDto {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({
    ...anyText(5000),
    description: 'What the webhook is for. Its URL is not told, because many contain a secret.',
  })
  description: string;

  @ApiProperty({ ...anyText(500), description: 'Why the service disabled it.' })
  reason: string;
}

export class DisabledWebhookDataDto {
  @ApiProperty({ type: DisabledWebhookDto })
  webhook: DisabledWebhookDto;
}

export class TestedWebhookDto {
  @ApiProperty(ID)
  id: string;
}

export class TestDataDto {
  @ApiProperty({ type: TestedWebhookDto, description: 'The webhook that is tested.' })
  webhook: TestedWebhookDto;
}
