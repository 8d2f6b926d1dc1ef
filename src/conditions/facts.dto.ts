import { ApiProperty } from '@nestjs/swagger';
import { FACT_NAMES } from './facts';

/** What is known of a customer, in responses and events. */
export const FactsField = () =>
  ApiProperty({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 1000 },
    maxProperties: FACT_NAMES.length,
    example: { months: 7, amount: 4900, currency: 'EUR', status: 'active' },
    description:
      'What branches and offers go by: see `FactCondition`. What is absent is unknown, or nobody asked. More may come until the customer takes the first step.',
  });
