import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY } from './money';
import {
  anyText,
  COUNT,
  EMAIL,
  filledText,
  HTTPS_URL,
  ID,
  integer,
  KEY,
  OWN_KEY,
  SHARE,
  type Shape,
  TIMESTAMP,
  WEB_URL,
} from './schemas';

/** The kinds of fields in responses, for the OpenAPI document: `@Count('Sessions that showed it.', 20)`. */

type Described<Kind extends unknown[]> = [...kind: Kind, description?: string, example?: unknown];

/**
 * A decorator of fields of one kind: `@Id('The offer.', '019a…')`, `@Id.orNull(…)`, and `@Id.like('019a…')`, whose name
 * says enough.
 *
 * @param schemaOf the schema, by arguments that come before the description
 */
function kind<Kind extends unknown[]>(schemaOf: (...kind: Kind) => object) {
  const decorator =
    (more: object) =>
    (...args: Described<Kind>): PropertyDecorator => {
      const [description, example] = args.slice(schemaOf.length);
      const schema = schemaOf(...(args.slice(0, schemaOf.length) as Kind));
      return ApiProperty({ ...schema, ...more, ...defined({ description, example }) });
    };
  return Object.assign(decorator({}), {
    orNull: decorator({ nullable: true }),
    like: (...args: [...kind: Kind, example: unknown]): PropertyDecorator =>
      ApiProperty({ ...schemaOf(...(args.slice(0, -1) as Kind)), example: args.at(-1) }),
  });
}

function defined(options: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export const Id = kind(() => ID);
export const Time = kind(() => TIMESTAMP);
export const Count = kind(() => COUNT);
export const Share = kind(() => SHARE);
export const Key = kind(() => KEY);
export const OwnKey = kind(() => OWN_KEY);
export const WebUrl = kind(() => WEB_URL);
export const HttpsUrl = kind(() => HTTPS_URL);
export const Email = kind(() => EMAIL);
export const Currency = kind(() => CURRENCY);
export const Flag = kind(() => ({ type: 'boolean' }));
/** The fixed value `true`, for responses that only confirm. */
export const True = kind(() => ({ enum: [true], type: 'boolean' }));

/** Text with at least one character that is not white space. */
export const Text = kind((max: number) => filledText(max));
/** Any text, including ''. */
export const AnyText = kind((max: number) => anyText(max));
export const Integer = kind((min: number) => integer(min));
/** One of some values. */
export const Choice = kind((values: readonly unknown[]) => ({ enum: values }));
/** An object. */
export const One = kind((shape: Shape) => ({ type: shape }));
/** A list of objects. */
export const Many = kind((shape: Shape, maxItems: number) => ({ type: [shape], maxItems }));
