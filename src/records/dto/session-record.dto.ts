import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FulfilmentDto } from '../../billing/dto/fulfilment.dto';
import { MINOR_UNITS } from '../../platform/api/fields/money';
import { Currency, Flag, Key, Many, One, Text } from '../../platform/api/fields/shown';
import { AMOUNT, ATTRIBUTES, EMAIL } from '../../platform/api/fields/schemas';
import { FactsField } from '../../conditions/facts.dto';
import type { Facts } from '../../conditions/facts';
import { MAX_NODES } from '../../flows/graph/graph-limits';
import type { AnswerDto, Results } from '../../runtime/answers';
import type { CustomerDetails, FlowSession } from '../../sessions/flow-session.entity';
import type { SessionStep } from '../../sessions/session-step.entity';
import { SessionListItemDto } from './sessions.dto';
import { TakenStepDto } from './taken-step.dto';

/** A session with its steps and answers, oldest first. */
export type SessionRecord = FlowSession & {
  steps: SessionStep[];
  answers: AnswerDto[];
  results: Results;
  fulfilment: FulfilmentDto;
};

export class CustomerDetailsDto implements CustomerDetails {
  @ApiPropertyOptional({ ...EMAIL, example: 'ada@example.com' })
  email?: string;

  @ApiPropertyOptional({ ...ATTRIBUTES, example: { plan: 'pro', seats: 12 } })
  attributes?: CustomerDetails['attributes'];
}

/** The customer's subscription when the session began. */
export class SessionSubscriptionDto {
  @Text.orNull(200, 'In your billing system.', 'sub_1Q2w3E')
  id: string | null;

  @ApiProperty({
    ...MINOR_UNITS,
    nullable: true,
    example: 4990,
    description:
      'For a month, in the smallest unit of the currency: of a week × 52 / 12, of a quarter / 3, of a year / 12, rounded. Null if it was not told.',
  })
  monthly_amount: number | null;

  @Currency.orNull('Of the amount: ISO 4217.', 'EUR')
  currency: string | null;

  @Flag('Whether a customer token told the amount.', true)
  verified: boolean;

  static of(session: FlowSession): SessionSubscriptionDto | null {
    const { subscription_id: id, monthly_amount, currency, amount_verified: verified } = session;
    return id === null && monthly_amount === null ? null : { id, monthly_amount, currency, verified };
  }
}

export class SessionRecordDto extends SessionListItemDto {
  @One.orNull(CustomerDetailsDto, 'What the page, or the customer token, said about the customer.', {
    email: 'ada@example.com',
    attributes: { plan: 'pro' },
  })
  customer: CustomerDetails | null;

  @One.orNull(SessionSubscriptionDto, 'Null if the start did not tell it. Erasing the customer leaves the amount.')
  subscription: SessionSubscriptionDto | null;

  @ApiProperty({
    ...AMOUNT,
    nullable: true,
    example: null,
    description:
      "The flow's when the session began; null if it had none, and if the amount of the subscription is known.",
  })
  estimated_monthly_value: number | null;

  @FactsField()
  facts: Facts;

  @Key.orNull('The key of the current node, or of the last one of an abandoned session; null at the end.', null)
  current_node: string | null;

  @Many(TakenStepDto, MAX_NODES, 'Oldest first.')
  steps: TakenStepDto[];

  static ofRecord(session: SessionRecord): SessionRecordDto {
    return {
      ...SessionListItemDto.of(session),
      customer: session.customer,
      subscription: SessionSubscriptionDto.of(session),
      estimated_monthly_value: session.estimated_monthly_value,
      facts: session.facts ?? {},
      current_node: session.status === 'in_progress' ? session.current_node_key : null,
      steps: session.steps.map((step) => TakenStepDto.of(step)),
    };
  }
}
