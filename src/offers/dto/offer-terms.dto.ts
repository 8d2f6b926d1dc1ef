import { ChoiceField, Field, IntegerField, isSet, TextField } from '../../platform/api/fields/fields';
import { CurrencyField, MINOR_UNITS } from '../../platform/api/fields/money';
import { integer } from '../../platform/api/fields/schemas';
import { DURATIONS, MAX_MONTHS, MONTHS_TO_CHOOSE, type OfferTerms } from '../terms/types';

export const TERMS =
  'What the connected billing system does for a customer who accepts the offer; null: nothing. Discounts take ' +
  '`{percent_off, duration}` or `{amount_off, currency, duration}`, with `months` if they are `repeating`, or `{coupon}` alone; ' +
  'pauses `{months}`, a number or a list to choose from, extensions `{days}`, plan changes `{price}`, custom offers none.';

const PERCENT = { type: 'number', exclusiveMinimum: 0, maximum: 100 };
/** Billing systems take five years at most. */
const MAX_DAYS = 730;
const MAX_ID = 200;

const isMonths = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_MONTHS;

export class OfferTermsDto implements OfferTerms {
  @Field(
    { description: 'The discount, with at most two decimals.', example: 30, optional: true },
    PERCENT,
    'must be a number above 0 and up to 100 with at most two decimals',
    (value) =>
      typeof value === 'number' && value > 0 && value <= PERCENT.maximum && Math.round(value * 100) / 100 === value,
  )
  percent_off?: number;

  @Field(
    { description: 'The discount, in the smallest unit of the currency: 500 is 5.00 EUR.', optional: true },
    { ...MINOR_UNITS, minimum: 1 },
    `must be an integer from 1 to ${MINOR_UNITS.maximum}, in the smallest unit of the currency`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MINOR_UNITS.maximum,
  )
  amount_off?: number;

  @CurrencyField({ description: 'Of `amount_off`: ISO 4217.', optional: true })
  currency?: string;

  @ChoiceField({
    description: 'How long a discount lasts: for the next invoice, for some `months`, or for good.',
    values: DURATIONS,
    example: 'repeating',
    optional: true,
  })
  duration?: OfferTerms['duration'];

  @Field(
    {
      description:
        'How many months a repeating discount or a pause lasts. A list, only for a pause: the customer chooses one of them, in this ' +
        'order, and an offer that was accepted has the one that they chose.',
      example: 3,
      optional: true,
    },
    {
      anyOf: [
        integer(1, MAX_MONTHS),
        {
          type: 'array',
          items: integer(1, MAX_MONTHS),
          minItems: MONTHS_TO_CHOOSE.least,
          maxItems: MONTHS_TO_CHOOSE.most,
          uniqueItems: true,
        },
      ],
    },
    `must be an integer from 1 to ${MAX_MONTHS}, or a list of ${MONTHS_TO_CHOOSE.least} to ${MONTHS_TO_CHOOSE.most} different ones`,
    (value) =>
      isMonths(value) ||
      (isSet(value, MONTHS_TO_CHOOSE.most, isMonths) && (value as unknown[]).length >= MONTHS_TO_CHOOSE.least),
  )
  months?: number | number[];

  @IntegerField({
    description:
      'By how many days the next payment is put off, from the end of the trial or of the period that is paid.',
    min: 1,
    max: MAX_DAYS,
    optional: true,
  })
  days?: number;

  @TextField({ description: 'The id of the price to change to, such as `price_1Q2w3E`.', max: MAX_ID, optional: true })
  price?: string;

  @TextField({ description: 'The id of a coupon of yours, such as `stay-30`.', max: MAX_ID, optional: true })
  coupon?: string;
}
