import { Field, type FieldOptions } from '../platform/api/fields/fields';
import { filledText } from '../platform/api/fields/schemas';
import { isBlank, isText } from '../platform/api/fields/text';

const MAX_CUSTOMER_ID = 200;

/** URLs drop `.` and `..` from a path, so nobody could erase customers who are called so. */
export function CustomerIdField(options: FieldOptions) {
  return Field(
    { example: 'cus_4711', ...options },
    { ...filledText(MAX_CUSTOMER_ID), not: { enum: ['.', '..'] } },
    `must be text of 1 to ${MAX_CUSTOMER_ID} characters, not blank, not "." and not ".."`,
    (id) => isText(id, MAX_CUSTOMER_ID) && !isBlank(id) && id !== '.' && id !== '..',
  );
}
