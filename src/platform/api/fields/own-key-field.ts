import { type FieldOptions, PatternField } from './fields';
import { OWN_KEY } from './schemas';

/** A key or slug that its team chooses. */
export function OwnKeyField(options: FieldOptions) {
  return PatternField(options, OWN_KEY, 'must be 1 to 63 lower-case letters, digits and -, the first no -');
}
