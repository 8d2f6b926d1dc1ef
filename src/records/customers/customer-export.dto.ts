import { OutcomeDto } from '../../billing/dto/outcome.dto';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import { EVENT_TYPES, type EventType } from '../../outbox/event-types';
import { Choice, Id, Many, Text, Time } from '../../platform/api/fields/shown';
import { INT4_MAX } from '../../settings/readers';
import { type SessionRecord, SessionRecordDto } from '../dto/session-record.dto';

/** Something that your endpoints and your team were told of a session. */
export class ToldEventDto {
  @Id.like('019a9f3c-c8d9-7eaf-9b1c-2d3e4f5a6b70')
  id: string;

  @Choice.like(EVENT_TYPES, 'session.saved')
  type: EventType;

  @Time.like('2026-11-21T09:31:00.000Z')
  created_at: Date;
}

class CustomerSessionDto extends SessionRecordDto {
  @Text.orNull(200, 'The id of the customer in your billing system, as a token said it.', 'cus_1Q2w3E')
  billing_customer_id: string | null;

  @Many(ToldEventDto, INT4_MAX, 'What was told of the session, oldest first, as long as events are kept.')
  events: ToldEventDto[];
}

/** What is stored about one customer. */
export class CustomerExportDto {
  @Text(200, "The customer's id in your own system.", 'cus_4711')
  customer_id: string;

  @Many(CustomerSessionDto, INT4_MAX, 'Newest first, each with its steps and comments.')
  sessions: CustomerSessionDto[];

  @Many(OutcomeDto, INT4_MAX, 'Oldest first.')
  outcomes: OutcomeDto[];

  @Many(DeclarationDto, INT4_MAX, 'Those with an e-mail address that a customer token named in one of the sessions.')
  declarations: DeclarationDto[];

  static sessionOf(session: SessionRecord, events: ToldEventDto[]): CustomerSessionDto {
    const { billing_customer_id } = session;
    return { ...SessionRecordDto.ofRecord(session), billing_customer_id, events };
  }
}
