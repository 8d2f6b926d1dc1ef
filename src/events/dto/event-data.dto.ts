import {
  AnyText,
  Choice,
  Count,
  Email,
  Flag,
  Id,
  Integer,
  Many,
  One,
  Text,
  Time,
} from '../../platform/api/fields/shown';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { LOCALE } from '../../platform/api/fields/language-fields';
import type { Metadata } from '../../platform/api/fields/metadata';
import { ATTRIBUTES, METADATA } from '../../platform/api/fields/schemas';
import { MAX_ERASED } from '../../outbox/event-types';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import { EffectOfDecisionDto, FulfilmentDto } from '../../billing/dto/fulfilment.dto';
import type { Facts } from '../../conditions/facts';
import { FactsField } from '../../conditions/facts.dto';
import type { Effect } from '../../sessions/effect';
import { AnswerDto, MAX_ANSWERS, type Results, RESULTS, SAVED_REASONS, type SavedReason } from '../../runtime/answers';
import type { CustomerDetails } from '../../sessions/flow-session.entity';
import { SESSION_SOURCES, type SessionSource, SOURCE } from '../../sessions/session-source';
import { SESSION_STATUSES, type SessionStatus } from '../../sessions/session-status';

export class EventSubscriptionDto {
  @Text(255, 'Its id in the billing system, as the token named it, or the page.', 'sub_1Q2w3E')
  id: string;

  @Text.orNull(255, "The customer's id in the billing system, as the token named it; null without.", 'cus_1Q2w3E')
  billing_id: string | null;
}

export class EventCustomerDto {
  @Text(200, "The customer's id in your own system.")
  id: string;

  @Email.orNull('null if none was sent.')
  email: string | null;

  @ApiProperty({ ...ATTRIBUTES, description: 'What else was said about the customer.' })
  attributes: NonNullable<CustomerDetails['attributes']>;

  @Flag('Whether your backend signed all this with a customer key. false: the page said so.')
  verified: boolean;

  @One.orNull(EventSubscriptionDto, 'null if the start named none.')
  subscription: EventSubscriptionDto | null;
}

export class EventSessionDto {
  @Id("The id of the session's record, as in `GET /api/v1/public/sessions/{id}`.")
  id: string;

  @Choice(SESSION_STATUSES, 'The status when the event happened, however late it is sent.')
  status: SessionStatus;

  @Id('The flow that the session is on.')
  flow_id: string;

  @Integer(1, 'The version of the flow that the session stays on.')
  flow_version: number;

  @Text(200, 'The name of the flow in that version.', 'Leaving Acme Pro')
  flow_name: string;

  @Choice.orNull(SESSION_SOURCES, SOURCE, null)
  source: SessionSource | null;

  @ApiProperty({ ...LOCALE, description: "The customer's language, in which the answers are worded." })
  locale: string;

  @Time('When the session started.')
  started_at: Date;

  @Time.orNull('When it was saved or canceled; null if it is neither, as after `session.abandoned`.')
  ended_at: Date | null;

  @One.orNull(EventCustomerDto, 'null if the page named no customer, or the customer was erased.')
  customer: EventCustomerDto | null;

  @FactsField()
  facts: Facts;
}

export class SessionDataDto {
  @One(EventSessionDto)
  session: EventSessionDto;

  @Many(AnswerDto, MAX_ANSWERS, 'The answers so far, oldest first.')
  answers: AnswerDto[];

  @ApiProperty(RESULTS)
  results: Results;

  @One.orNull(OfferRecordDto, 'The offer that the customer accepted, as it was shown; null if none was.')
  accepted_offer: OfferRecordDto | null;

  @ApiPropertyOptional({
    enum: [true],
    type: 'boolean',
    description:
      'The body would have been larger than 20 kB, so texts were cut, and results left out. Read the session for the whole.',
  })
  truncated?: true;
}

export class FulfilmentDataDto extends SessionDataDto {
  @One(FulfilmentDto, 'What became of it, as it is when the event is sent.')
  fulfilment: FulfilmentDto;
}

export class EndingOfferDataDto extends PickType(SessionDataDto, ['session', 'accepted_offer', 'truncated']) {
  @One.orNull(EffectOfDecisionDto, '`until`: when it ends. Null if the customer was erased since.')
  effect: Effect | null;
}

export class SavedSessionDataDto extends SessionDataDto {
  @Choice(SAVED_REASONS, '`kept`: the customer kept the subscription without an offer.')
  reason: SavedReason;
}

export class EventWorkspaceDto {
  @Id()
  id: string;

  @Count('Sessions that may start in a calendar month (UTC).')
  session_limit: number;

  @Count('Sessions that had started in the month.')
  sessions_used: number;

  @Time('Start of the month, inclusive.')
  period_start: string;

  @Time('End of the month, exclusive: the count starts again.')
  period_end: string;
}

export class LimitDataDto {
  @One(EventWorkspaceDto)
  workspace: EventWorkspaceDto;
}

export class EventFlowDto {
  @Id()
  id: string;

  @Text(69, 'The widget starts sessions with it.')
  slug: string;

  @Integer(1, 'The version that was current when the event happened.')
  version: number;

  @Text(200)
  name: string;

  @Text(200)
  product_name: string;

  @ApiProperty({ ...METADATA, description: 'The metadata of the flow when it is sent.' })
  metadata: Metadata;
}

export class FlowDataDto {
  @One(EventFlowDto)
  flow: EventFlowDto;
}

class PublishedFlowDto extends EventFlowDto {
  @Text.orNull(1000, 'What is new and why; null without a note.')
  note: string | null;
}

export class PublishedFlowDataDto {
  @One(PublishedFlowDto)
  flow: PublishedFlowDto;
}

export class DeclarationDataDto {
  @One(DeclarationDto, 'The declaration as it is when the event is sent.')
  declaration: DeclarationDto;
}

export class ErasedSessionDto {
  @Id("The id of the session's record.")
  id: string;
}

export class ErasureDataDto {
  @Many(
    ErasedSessionDto,
    MAX_ERASED,
    'The sessions that the customer was erased from. Erase what earlier events told you of them.',
  )
  sessions: ErasedSessionDto[];
}

export class DisabledWebhookDto {
  @Id()
  id: string;

  @AnyText(5000, 'What the webhook is for. Its URL is not told, because many contain a secret.')
  description: string;

  @AnyText(500, 'Why the service disabled it.')
  reason: string;
}

export class DisabledWebhookDataDto {
  @One(DisabledWebhookDto)
  webhook: DisabledWebhookDto;
}

export class TestedWebhookDto {
  @Id()
  id: string;
}

export class TestDataDto {
  @One(TestedWebhookDto, 'The webhook that is tested.')
  webhook: TestedWebhookDto;
}
