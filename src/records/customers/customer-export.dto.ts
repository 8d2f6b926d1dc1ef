import { AnyText, Choice, Id, Many, Text, Time } from '../../platform/api/fields/shown';
import { INT4_MAX } from '../../settings/readers';
import { OutcomeDto } from '../../billing/dto/outcome.dto';
import { pick } from '../../platform/common/pick';
import { type Delivery, DELIVERY_STATUSES, type DeliveryStatus } from '../../events/deliveries/delivery.entity';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import { type SessionRecord, SessionRecordDto } from '../dto/session-record.dto';

/** A message about a session: a webhook that was told of it, or a mail. */
class SentMessageDto {
  @Id.like('019a9f3c-c8d9-7eaf-9b1c-2d3e4f5a6b70')
  event_id: string;

  @Choice.like(DELIVERY_STATUSES, 'delivered')
  status: DeliveryStatus;

  @AnyText.orNull(320, 'Where the last attempt at a mail went; null of a webhook.', null)
  address: string | null;

  @AnyText.orNull(5000, 'Why the last attempt failed. It may quote the receiver.', null)
  last_error: string | null;

  @Time.like('2026-11-21T09:31:00.000Z')
  created_at: Date;
}

class CustomerSessionDto extends SessionRecordDto {
  @Text.orNull(200, 'The id of the customer in your billing system, as a token said it.', 'cus_1Q2w3E')
  billing_customer_id: string | null;

  @Many(SentMessageDto, INT4_MAX, 'What was sent of the session, as long as events are kept.')
  messages: SentMessageDto[];

  static ofExport(session: SessionRecord, deliveries: Delivery[]): CustomerSessionDto {
    return {
      ...SessionRecordDto.ofRecord(session),
      billing_customer_id: session.billing_customer_id,
      messages: deliveries.map((one) => pick(one, ['event_id', 'status', 'address', 'last_error', 'created_at'])),
    };
  }
}

/** Everything that is stored about one customer. */
export class CustomerExportDto {
  @Text(200, "The customer's id in your own system.", 'cus_4711')
  customer_id: string;

  @Many(CustomerSessionDto, INT4_MAX, 'Newest first, each with its steps and comments.')
  sessions: CustomerSessionDto[];

  @Many(OutcomeDto, INT4_MAX, 'Oldest first.')
  outcomes: OutcomeDto[];

  @Many(DeclarationDto, INT4_MAX, 'Those with an e-mail address that a customer token named in one of the sessions.')
  declarations: DeclarationDto[];

  static sessionOf(session: SessionRecord, deliveries: Delivery[]): CustomerSessionDto {
    return CustomerSessionDto.ofExport(session, deliveries);
  }
}
