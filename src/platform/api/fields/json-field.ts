import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, type FieldOptions } from './fields';
import { jsonOf } from './schemas';

/** Any JSON value of at most `max` bytes, as it is written without blanks. Nobody here reads what is in it. */
export function JsonField({ max, description, ...options }: FieldOptions & { max: number }) {
  return applyDecorators(
    // As it was sent: class-transformer would look into it.
    Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]),
    Field(
      { ...options, description: `${description} Any JSON of at most ${max} bytes.` },
      jsonOf(max),
      `must be JSON of at most ${max} bytes`,
      (value) => value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= max,
    ),
  );
}
