import { Field, type FieldOptions } from './fields';
import { isPlainObject } from '../../common/json';
import { METADATA, METADATA_NAME } from './schemas';
import { isText } from './text';

/** Names and texts that a workspace attaches to what it creates, such as the id of a coupon. No customer sees them. */
export type Metadata = Record<string, string>;

/** The most bytes of metadata as JSON. An event's body always has them all, and stays below 20 kB. */
const MAX_BYTES = 4000;

const NAME_FORM = new RegExp(METADATA_NAME.pattern);

/** Names and texts of the workspace's own. */
export function MetadataField({ description, ...options }: FieldOptions) {
  const { maxProperties, additionalProperties: text } = METADATA;
  return Field(
    {
      ...options,
      description:
        `${description} No customer sees it. At most ${maxProperties} names (${METADATA_NAME.maxLength} of A–Z, a–z, 0–9, ` +
        `_, - and . each, none reserved in JavaScript, such as constructor) with texts (${text.maxLength} characters each), together at most ${MAX_BYTES} bytes as JSON. ` +
        'A change replaces it as a whole: `{}` clears it, and null is refused.',
    },
    METADATA,
    `must be an object of at most ${maxProperties} names (1 to ${METADATA_NAME.maxLength} letters, digits, _, - or .) and ` +
      `texts (at most ${text.maxLength} characters), together at most ${MAX_BYTES} bytes as JSON`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= maxProperties &&
      Object.keys(value).every((name) => NAME_FORM.test(name)) &&
      Object.values(value).every((one) => isText(one, text.maxLength)) &&
      Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES,
  );
}
