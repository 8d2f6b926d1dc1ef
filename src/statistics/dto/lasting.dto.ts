import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY } from '../../platform/api/money';
import { COUNT, integer, SHARE } from '../../platform/api/schemas';

/** Whether saves last. */
export class LastingDto {
  @ApiProperty({ ...integer(1), example: 30 })
  days: number;

  @ApiProperty({
    ...COUNT,
    example: 40,
    description: 'Customers of the span who were saved at least `days` days ago. The newest of these saves counts.',
  })
  customers: number;

  @ApiProperty({
    ...COUNT,
    example: 31,
    description: 'Those of them who have not canceled since: in no session of any flow, and by no reported outcome.',
  })
  still_there: number;

  @ApiProperty({ ...SHARE, nullable: true, example: 0.775, description: 'Their share; null without customers.' })
  rate: number | null;
}

const MONEY = { type: 'number', minimum: 0 } as const;

/** The monthly value of customers in one currency. Amounts in different currencies are never added up. */
export class ValueDto {
  @ApiProperty({
    ...CURRENCY,
    nullable: true,
    example: 'EUR',
    description:
      "ISO 4217; amounts are in its smallest unit. Null: the start told no amount, and the flow's `estimated_monthly_value` of that " +
      'moment counts, in its own unit.',
  })
  currency: string | null;

  @ApiProperty({ type: 'boolean', example: true, description: 'Whether customer tokens told the amounts.' })
  verified: boolean;

  @ApiProperty({
    ...COUNT,
    example: 33,
    description: 'Each once, with the session that they decided last in, else with their last one.',
  })
  customers: number;

  @ApiProperty({ ...MONEY, example: 164670, description: 'What all of them are worth.' })
  at_risk: number;

  @ApiProperty({ ...MONEY, example: 49900, description: 'The part of those who were saved.' })
  saved: number;

  @ApiProperty({ ...MONEY, example: 74850, description: 'The part of those who canceled.' })
  canceled: number;

  @ApiProperty({
    ...MONEY,
    nullable: true,
    example: 99800,
    description:
      'What those who were saved have paid since, as reported, in this currency. A payment in another currency is in the row of that ' +
      'one. Null in the row without a currency.',
  })
  paid_since: number | null;
}
