import { ApiProperty } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { CustomerIdField } from '../../runtime/customer-id';
import { ChoiceField, TextField, TimestampField } from '../../platform/api/fields/fields';
import { AmountField, CurrencyField, MINOR_UNITS } from '../../platform/api/fields/money';
import { Choice, Currency, Text, Time } from '../../platform/api/fields/shown';
import { type Outcome, OUTCOME_TYPES, type OutcomeType } from '../outcomes/outcome.entity';

const MAX_ID = 200;

const DESCRIPTIONS = {
  id: 'Your own name of what happened, such as the id of the invoice. It makes the report safe to repeat.',
  type: '`canceled`: the subscription was canceled. `paid`: a payment arrived. `paused`: the customer paused it themselves, and is still there. `kept`: after an offer that is no save in itself, such as a call, the customer decided to stay: their newest session that ended as `contacted` before `at` is `saved` as of `at`, with the event `session.saved`. Without such a session, it is a 409 (`not_contacted`), and nothing is stored.',
  amount: 'What was paid, in the smallest unit of the currency: 4990 is 49.90 EUR. Only together with `currency`.',
  currency: 'Of the amount: ISO 4217, in capital or small letters.',
};

export class ReportOutcomeDto {
  @TextField({ description: DESCRIPTIONS.id, example: 'in_1Q2w3E', max: MAX_ID })
  id: string;

  @CustomerIdField({ description: "The customer's id in your own system, as starts name it." })
  customer_id: string;

  @ChoiceField({ description: DESCRIPTIONS.type, values: OUTCOME_TYPES, example: 'paid' })
  type: OutcomeType;

  @TimestampField({ description: 'When it happened: an hour from now at the latest.', example: '2026-11-21T09:30:00Z' })
  at: string;

  @AmountField({ description: DESCRIPTIONS.amount, example: 4990, optional: true })
  amount?: number;

  @CurrencyField({ description: DESCRIPTIONS.currency, example: 'EUR', optional: true })
  currency?: string;
}

export const ApiOutcome = () =>
  ApiExamples(ReportOutcomeDto, {
    'a payment': {
      id: 'in_1Q2w3E',
      customer_id: 'cus_4711',
      type: 'paid',
      at: '2026-11-21T09:30:00Z',
      amount: 4990,
      currency: 'EUR',
    },
    'a cancellation': { id: 'evt_1Q9z8Y', customer_id: 'cus_4711', type: 'canceled', at: '2026-11-21T09:30:00Z' },
  });

export class OutcomeDto {
  @Text(MAX_ID, DESCRIPTIONS.id, 'in_1Q2w3E')
  id: string;

  @Choice(OUTCOME_TYPES, DESCRIPTIONS.type, 'paid')
  type: OutcomeType;

  @Time.like('2026-11-21T09:30:00.000Z')
  at: Date;

  @ApiProperty({ ...MINOR_UNITS, nullable: true, example: 4990, description: DESCRIPTIONS.amount })
  amount: number | null;

  @Currency.orNull('Of the amount: ISO 4217.', 'EUR')
  currency: string | null;

  static of({ id, type, at, amount, currency }: Outcome): OutcomeDto {
    return { id, type, at, amount, currency };
  }
}
