import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { isEmail, isISO8601, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { isId } from '../ids';
import {
  anyText,
  ATTRIBUTE_VALUE,
  EMAIL,
  filledText,
  ID,
  integer,
  KEY,
  oneOf,
  OPTIONAL_WEB_URL,
  type Pattern,
  type Shape,
  TIMESTAMP,
  WEB_URL,
} from './schemas';
import { isPlainObject } from '../../common/json';
import { INT4_MAX } from '../../../settings/readers';
import { isBlank, isText, isWebUrl } from './text';

/** Options of every request field: its documentation, and whether it may be omitted or null. */
export interface FieldOptions {
  description: string;
  example?: unknown;
  default?: unknown;
  /** May be omitted. */
  optional?: true;
  /** `null` means no value. */
  nullable?: true;
}

/** A request field: one validation rule with one message, and its schema in the OpenAPI document. */
export function Field(
  options: FieldOptions,
  schema: Record<string, unknown>,
  message: string,
  isValid: (value: unknown, body: object) => boolean,
): PropertyDecorator {
  const { optional, nullable, ...docs } = options;
  const absent = [...(optional ? [undefined] : []), ...(nullable ? [null] : [])] as unknown[];
  const validate = (value: unknown, context?: { object: object }) => isValid(value, context!.object);
  return applyDecorators(
    ApiProperty({ ...schema, ...docs, required: !optional, ...(nullable && { nullable }) }),
    ValidateBy({ name: 'field', validator: { validate, defaultMessage: () => message } }),
    ...(absent.length > 0 ? [ValidateIf((_, value: unknown) => !absent.includes(value))] : []),
  );
}

/** Text of at most `max` characters. Unless `blank` is set, at least one must not be white space. */
export function TextField({ max, blank, ...options }: FieldOptions & { max: number; blank?: true }) {
  return Field(
    options,
    blank ? anyText(max) : filledText(max),
    blank ? `must be text of at most ${max} characters` : `must be text of 1 to ${max} characters, not blank`,
    (value) => isText(value, max) && (blank || !isBlank(value)),
  );
}

/** Text that people read. The same words are the same text, however letters with accents were typed (Unicode, NFC). */
export function WordsField(options: Parameters<typeof TextField>[0]) {
  return applyDecorators(
    Transform(({ value }) => (typeof value === 'string' ? value.normalize('NFC') : (value as unknown))),
    TextField(options),
  );
}

/** One of a fixed set of strings. */
export function ChoiceField({ values, ...options }: FieldOptions & { values: readonly string[] }) {
  return Field(options, { type: 'string', enum: values }, `must be one of ${values.join(', ')}`, (value) =>
    values.includes(value as string),
  );
}

/** A list of distinct strings of a fixed set. */
export function ChoicesField({ values, ...options }: FieldOptions & { values: readonly string[] }) {
  return Field(
    options,
    { type: 'array', items: { type: 'string', enum: values }, uniqueItems: true, maxItems: values.length },
    `must be a list of ${values.join(', ')}, without duplicates`,
    (value) => isSet(value, values.length, (item) => values.includes(item as string)),
  );
}

/** An http(s) URL of at most 2,048 characters. With `blank`, '' means none. */
export function UrlField({ blank, ...options }: FieldOptions & { blank?: true }) {
  return Field(
    options,
    blank ? OPTIONAL_WEB_URL : WEB_URL,
    'must be a URL like https://acme.example/cancel (http or https) of at most 2048 characters, without credentials, spaces or backslashes',
    (value) => isText(value, WEB_URL.maxLength) && ((blank && value === '') || isWebUrl(value)),
  );
}

/** An e-mail address of at most 254 characters (RFC 5321). */
export function EmailField(options: FieldOptions) {
  return Field(
    options,
    EMAIL,
    'must be an e-mail address of at most 254 characters',
    (value) => isText(value, EMAIL.maxLength) && isEmail(value) && !/\p{Cc}/u.test(value),
  );
}

/** A whole number. */
export function IntegerField({ min, max = INT4_MAX, ...options }: FieldOptions & { min: number; max?: number }) {
  return Field(
    options,
    integer(min, max),
    `must be an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );
}

/** A whole number in a query, where everything is text. */
export function QueryIntegerField(options: Parameters<typeof IntegerField>[0]) {
  return applyDecorators(
    Transform(({ value }) =>
      typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : (value as unknown),
    ),
    IntegerField(options),
  );
}

/** True or false. */
export function BooleanField(options: FieldOptions) {
  return Field(options, { type: 'boolean' }, 'must be true or false', (value) => typeof value === 'boolean');
}

/** True or false in a query, where everything is text. */
export function QueryBooleanField(options: FieldOptions) {
  return applyDecorators(
    Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : (value as unknown))),
    BooleanField(options),
  );
}

/** Some of a few values in a query, separated by commas, or each in a parameter of its own. */
export function QueryChoicesField({ values, ...options }: FieldOptions & { values: readonly string[] }) {
  return applyDecorators(
    Transform(({ value }) => (typeof value === 'string' ? value.split(',') : (value as unknown))),
    Field(
      options,
      // As one value: a list would break the programs that send one.
      { type: 'string', enum: [...values] },
      `must be one or several of ${values.join(', ')}`,
      (value) => isSet(value, values.length, (one) => values.includes(one as string)) && (value as []).length > 0,
    ),
  );
}

/** An RFC 3339 timestamp. */
export function TimestampField(options: FieldOptions) {
  return Field(
    options,
    { ...TIMESTAMP, maxLength: 35 },
    'must be a timestamp like 2027-01-31T12:00:00Z (RFC 3339)',
    isTimestamp,
  );
}

/** A date. */
export function DateField(options: FieldOptions) {
  return Field(
    options,
    { type: 'string', format: 'date', maxLength: 10 },
    'must be a date like 2027-01-31',
    (value) => typeof value === 'string' && isTimestamp(`${value}T00:00:00Z`),
  );
}

/** A time in a query: an RFC 3339 timestamp, or a date that means its start in UTC. */
export function MomentField(options: FieldOptions) {
  const description = `${options.description} A timestamp (2027-01-31T12:00:00Z), or a date (2027-01-31) that means midnight UTC.`;
  return Field(
    { ...options, description },
    { type: 'string', maxLength: 35 },
    'must be a timestamp like 2027-01-31T12:00:00Z (RFC 3339) or a date like 2027-01-31',
    (value) => isTimestamp(value) || (typeof value === 'string' && isTimestamp(`${value}T00:00:00Z`)),
  );
}

/** A resource id. UUIDs are lower-cased, as Postgres returns them. */
export function IdField(options: FieldOptions) {
  return applyDecorators(
    Transform(({ value }) => lowerCase(value)),
    Field(options, ID, 'must be an id (UUID)', isId),
  );
}

/** A list of distinct resource ids. */
export function IdListField({ max, ...options }: FieldOptions & { max: number }) {
  return applyDecorators(
    Transform(({ value }) => (Array.isArray(value) ? value.map(lowerCase) : (value as unknown))),
    Field(
      options,
      { type: 'array', items: ID, uniqueItems: true, maxItems: max },
      `must be a list of at most ${max} ids (UUID), without duplicates`,
      (value) => isSet(value, max, isId),
    ),
  );
}

/** Text of a form that its schema describes. */
export function PatternField(options: FieldOptions, schema: Pattern, message: string) {
  const form = new RegExp(schema.pattern);
  return Field(options, schema, message, (value) => typeof value === 'string' && form.test(value));
}

/** A key that identifies something within one document: 1 to 64 of A–Z, a–z, 0–9, _ and -. */
export function KeyField(options: FieldOptions) {
  return PatternField(options, KEY, 'must be 1 to 64 letters, digits, _ or -');
}

/** A nested object with its own validated fields. */
export function ObjectField({ of, ...options }: FieldOptions & { of: () => new () => object }) {
  return applyDecorators(
    Field(options, { type: () => of() }, 'must be an object', isPlainObject),
    ValidateNested({ message: 'must be an object' }),
    Type(of),
  );
}

/**
 * A list of objects, each with the validated fields of its class. `what` is the word for them.
 * If there are several classes, `classOf` says which an item has.
 */
export function ListField({
  classes,
  classOf = () => classes[0],
  schema = oneOf(classes),
  what,
  min,
  max,
  ...options
}: FieldOptions & {
  classes: Shape[];
  classOf?: (item: Record<string, unknown>) => Shape;
  schema?: object;
  what: string;
  min: number;
  max: number;
}) {
  return applyDecorators(
    // Not @Type: it takes a list for an item, and its discriminator throws for null.
    Transform(({ obj, key }) => {
      const list = (obj as Record<string, unknown>)[key];
      if (!Array.isArray(list)) return list;
      // A list that is too long is refused: nobody needs the rest of it.
      return list
        .slice(0, max + 1)
        .map((item: unknown) => (isPlainObject(item) ? plainToInstance(classOf(item), item) : null));
    }),
    ValidateNested({ message: 'must be an object' }),
    Field(
      options,
      { type: 'array', items: schema, minItems: min, maxItems: max },
      `must be a list of ${min} to ${max} ${what}`,
      (value) => Array.isArray(value) && value.length >= min && value.length <= max,
    ),
    (target: object) => ApiExtraModels(...classes)(target.constructor),
  );
}

/** Whether the value may be that of an attribute. */
export function isAttributeValue(value: unknown): boolean {
  const isOther = value === null || typeof value === 'number' || typeof value === 'boolean';
  return isOther || isText(value, ATTRIBUTE_VALUE.maxLength);
}

/** Whether a value is a list of different items. */
export function isSet(value: unknown, max: number, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= max && value.every(isItem) && new Set(value).size === value.length;
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Whether it is an RFC 3339 timestamp, of a day that there is. */
export function isTimestamp(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const form = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
  // Strict, because Date.parse turns 30 February into 2 March. An offset must not push the UTC year beyond four digits.
  return form.test(text) && isISO8601(text, { strict: true }) && /^\d{4}-/.test(new Date(text).toISOString());
}
