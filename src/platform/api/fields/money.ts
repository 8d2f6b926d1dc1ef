import { Field, type FieldOptions } from './fields';

/** An amount in the smallest unit of its currency, such as cents. */
export const MINOR_UNITS = { type: 'integer', format: 'int64', minimum: 0, maximum: 999_999_999_999 } as const;

/** A code of ISO 4217 in a response. */
export const CURRENCY = { type: 'string', pattern: '^[A-Z]{3}$', maxLength: 3 } as const;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** An amount of money in the smallest unit of its currency. */
export function AmountField(options: FieldOptions) {
  const { maximum } = MINOR_UNITS;
  return Field(
    options,
    MINOR_UNITS,
    `must be an integer from 0 to ${maximum}, in the smallest unit of the currency`,
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maximum,
  );
}

/** A currency, in capital or small letters, as billing systems write it. */
export function CurrencyField(options: FieldOptions) {
  return Field(
    options,
    { ...CURRENCY, pattern: '^[A-Za-z]{3}$' },
    'must be a code of ISO 4217, such as EUR',
    (value) => typeof value === 'string' && CURRENCIES.has(currencyOf(value)),
  );
}

/** A currency as it is stored. */
export const currencyOf = (code: string): string => code.toUpperCase();

/** The transformer of a column `bigint` whose numbers JavaScript can hold, or of `numeric` with twelve digits. */
export const NUMBER_COLUMN = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};
