import { ApiProperty, PickType } from '@nestjs/swagger';
import type { Interval } from '../experiments/experiment';
import { Count, Currency, Flag } from '../../platform/api/fields/shown';

const MONEY = { type: 'number', minimum: 0 } as const;

/** The monthly value of customers in one currency. Amounts in different currencies are never added up. */
export class ValueDto {
  @Currency.orNull(
    "ISO 4217; amounts are in its smallest unit. Null: the start told no amount, and the flow's `estimated_monthly_value` of that " +
      'moment counts, in its own unit.',
    'EUR',
  )
  currency: string | null;

  @Flag('Whether customer tokens told the amounts.', true)
  verified: boolean;

  @Count('Each once, with the session that they decided last in, else with their last one.', 33)
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
    example: 44910,
    description:
      'What is left of `saved`: the average of a month in the year from each save, after the discounts, pauses, free days and other ' +
      'prices that were accepted, by time. By the `effect` that billing found. Null if it is unknown of one of them.',
  })
  net: number | null;

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

/** What those are worth who gave an answer in the session that they count with. */
export class ReasonValueDto extends PickType(ValueDto, [
  'currency',
  'verified',
  'customers',
  'at_risk',
  'saved',
  'canceled',
  'net',
]) {}

/** What those are worth who were saved by an offer. */
export class OfferValueDto extends PickType(ValueDto, [
  'currency',
  'verified',
  'customers',
  'saved',
  'net',
  'paid_since',
]) {}

/** What the customers of an arm are worth in one currency. */
export class ArmValueDto extends PickType(ValueDto, [
  'currency',
  'verified',
  'customers',
  'saved',
  'canceled',
  'net',
  'paid_since',
]) {
  @ApiProperty({
    ...MONEY,
    nullable: true,
    example: 1512.12,
    description:
      'What the arm saves of each of `customers`, a month. Amounts above the 99th percentile of all amounts of the experiment in ' +
      'this currency count as that one. Null without customers.',
  })
  mean: number | null;

  @ApiProperty({
    type: 'array',
    items: MONEY,
    minItems: 2,
    maxItems: 2,
    nullable: true,
    example: [907.2, 2117.04],
    description:
      'Where `mean` probably is with more customers: the bound of the day, as for the rates. Null with fewer than 100 customers, or 10 ' +
      'saved, and where their amounts are 0.',
  })
  interval: Interval | null;
}
