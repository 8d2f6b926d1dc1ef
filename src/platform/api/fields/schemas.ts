import { type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { INT4_MAX } from '../../../settings/readers';

/**
 * JSON Schemas of values, shared by requests and responses. Limits that appear in the OpenAPI document are defined
 * here.
 */

/** The `maxItems` of a list that is returned whole, without pages. */
export const UNPAGED = INT4_MAX;

/** A UUID. */
export const ID = { type: 'string', format: 'uuid', maxLength: 36 } as const;

/** A timestamp in a response: RFC 3339, UTC, milliseconds. */
export const TIMESTAMP = { type: 'string', format: 'date-time', maxLength: 24 } as const;

/** Two slashes, a host without credentials or escapes, no backslash: refuses whatever a browser would rewrite. */
const URL_FORM = String.raw`[Hh][Tt]{2}[Pp][Ss]?://[^\s\x00-\x1f\x7f-\x9f\\/?#@%]+([/?#][^\s\x00-\x1f\x7f-\x9f\\]*)?`;

/** Not `format: uri`, because RFC 3986 allows only ASCII, and hosts and paths may be in any script. */
export const WEB_URL = { type: 'string', maxLength: 2048, pattern: `^${URL_FORM}$` } as const;

/** A URL with https alone. */
export const HTTPS_URL = { ...WEB_URL, pattern: WEB_URL.pattern.replace('[Pp][Ss]?', '[Pp][Ss]') } as const;

/** An http(s) URL, or '' for none. */
export const OPTIONAL_WEB_URL = { ...WEB_URL, pattern: `^(${URL_FORM})?$` } as const;

/** An e-mail address; both parts may be in any script. `idn-email` would say so, but few tools know it. */
export const EMAIL = { type: 'string', format: 'email', maxLength: 254 } as const;

/** A key that identifies something within one document. */
export const KEY = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 } as const;

/** A name for a thing that is the same in every workspace that has it, such as a flow in staging and in production. */
export const OWN_KEY = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', maxLength: 63 } as const;

export const COLOR = { type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', maxLength: 7 } as const;

/** An origin as browsers send it. */
export const ORIGIN = {
  type: 'string',
  maxLength: 2048,
  pattern: String.raw`^(https?|capacitor|ionic|tauri|app)://\S+$`,
} as const;

/** An amount of money, with at most two decimals. */
export const AMOUNT = { type: 'number', minimum: 0, maximum: 9_999_999_999.99 } as const;

/** A share, from 0 to 1. */
export const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

/** A number of things. */
export const COUNT = integer(0);

/** The most attributes of a customer. */
export const MAX_ATTRIBUTES = 50;

/** The longest name of an attribute that conditions and statistics ask for. */
export const MAX_ATTRIBUTE_NAME = 200;

/** The value of an attribute. */
export const ATTRIBUTE_VALUE = { type: ['string', 'number', 'boolean', 'null'], maxLength: 1000 } as const;

/** Attributes that the embedding site gives a customer: names and plain values. */
export const ATTRIBUTES = {
  type: 'object',
  maxProperties: MAX_ATTRIBUTES,
  additionalProperties: { ...ATTRIBUTE_VALUE, type: [...ATTRIBUTE_VALUE.type] },
} satisfies ApiPropertyOptions;

/** A name in metadata. */
export const METADATA_NAME = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,40}$', maxLength: 40 } as const;

/** Names and texts of the workspace's own. */
export const METADATA = {
  type: 'object',
  maxProperties: 20,
  propertyNames: METADATA_NAME,
  additionalProperties: { type: 'string', maxLength: 500 },
} as const;

/** Any text, including ''. */
export function anyText(max: number) {
  return { type: 'string', maxLength: max } as const;
}

/** Text with at least one character that is not white space. */
export function filledText(max: number) {
  return { type: 'string', minLength: 1, maxLength: max, pattern: String.raw`\S` } as const;
}

/** A class whose fields are documented. */
export type Shape = new () => object;

/** A text that has to fit a pattern. */
export type Pattern = Record<string, unknown> & { pattern: string };

/** One of several shapes. */
export function oneOf(shapes: Shape[]) {
  const refs = [...new Set(shapes)].map((shape) => ({ $ref: getSchemaPath(shape) }));
  return refs.length === 1 ? refs[0] : { oneOf: refs };
}

/** One of several shapes. The value of a property says which. */
export function oneOfBy(propertyName: string, shapes: Record<string, Shape>) {
  const mapping = Object.entries(shapes).map(([value, shape]) => [value, getSchemaPath(shape)]);
  return { ...oneOf(Object.values(shapes)), discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

export function integer(min: number, max: number = INT4_MAX) {
  return { type: 'integer', format: 'int32', minimum: min, maximum: max } as const;
}

/** Any JSON value of at most so many bytes. */
export const jsonOf = (max: number) => ({
  anyOf: [
    { type: 'string', maxLength: max },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {}, maxItems: Math.min(max, 20_000) },
    { type: 'null' },
  ],
});

/** Any JSON value. */
export const ANY_JSON = jsonOf(8 * 1024 * 1024);
