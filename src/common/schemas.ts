import type { ApiPropertyOptions } from '@nestjs/swagger';
import { INT4_MAX } from './limits';

/** The forms of values, for requests and answers alike: their limits stand here and nowhere else in the documents. */

/** A UUID. */
export const ID = { type: 'string', format: 'uuid', maxLength: 36 } as const;

/** A point in time as it is answered: RFC 3339 in UTC, to the millisecond. */
export const TIMESTAMP = { type: 'string', format: 'date-time', maxLength: 24 } as const;

/** Two slashes, a host without credentials and escapes, and no backslash: what browsers would rewrite is refused. */
const URL_FORM = String.raw`[Hh][Tt]{2}[Pp][Ss]?://[^\s\x00-\x1f\x7f-\x9f\\/?#@%]+([/?#][^\s\x00-\x1f\x7f-\x9f\\]*)?`;

/** Not `format: uri`: hosts and paths may be in any script, which RFC 3986 does not allow. */
export const WEB_URL = { type: 'string', maxLength: 2048, pattern: `^${URL_FORM}$` } as const;

/** An http(s) URL, or '' for none. */
export const OPTIONAL_WEB_URL = { ...WEB_URL, pattern: `^(${URL_FORM})?$` } as const;

/** An e-mail address, of which either side may be in any script. */
export const EMAIL = { type: 'string', format: 'idn-email', maxLength: 254 } as const;

/** What names something within a document. */
export const KEY = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 } as const;

export const COLOR = { type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', maxLength: 7 } as const;

/** An origin as a browser sends it. */
export const ORIGIN = { type: 'string', maxLength: 2048, pattern: String.raw`^https?://\S+$` } as const;

/** An amount of money, with at most two decimals. */
export const AMOUNT = { type: 'number', minimum: 0, maximum: 9_999_999_999.99 } as const;

/** How many there are of something. */
export const COUNT = integer(0);

/** The most attributes of a customer. */
export const MAX_ATTRIBUTES = 50;

/** What the embedding site adds to a customer: names and plain values. */
export const ATTRIBUTES = {
  type: 'object',
  maxProperties: MAX_ATTRIBUTES,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 },
} satisfies ApiPropertyOptions;

/** Text, of any characters. */
export function anyText(max: number) {
  return { type: 'string', maxLength: max } as const;
}

/** Text in which there is something to read. */
export function filledText(max: number) {
  return { type: 'string', minLength: 1, maxLength: max, pattern: String.raw`\S` } as const;
}

export function integer(min: number, max: number = INT4_MAX) {
  return { type: 'integer', format: 'int32', minimum: min, maximum: max } as const;
}
