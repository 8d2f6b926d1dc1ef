import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { Field, type FieldOptions } from './fields';
import { isPlainObject } from '../../common/json';
import { canonicalTag, MAX_LANGUAGES, MAX_TAG } from '../../text/languages';
import type { Shape } from './schemas';

/** A language tag. */
export const LOCALE = {
  type: 'string',
  maxLength: MAX_TAG,
  pattern: '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$',
} as const;

/** A language tag. It becomes its canonical form. */
export function LocaleField(options: FieldOptions) {
  return applyDecorators(
    Transform(({ value }) => (typeof value === 'string' ? canonicalTag(value) : undefined) ?? (value as unknown)),
    Field(
      { example: 'de', ...options },
      LOCALE,
      `must be a language tag such as de or pt-BR (BCP 47) of at most ${MAX_TAG} characters`,
      (value) => typeof value === 'string' && canonicalTag(value) !== undefined,
    ),
  );
}

/** Validated like a list, with tags for indexes. In JSON it is an object. */
class Translations extends Map<string, unknown> {
  toJSON(): object {
    return Object.fromEntries(this);
  }
}

/** Words in other languages, by tag: objects with the validated fields of a class. Tags become their canonical form. */
export function TranslationsField({ of, description, ...options }: FieldOptions & { of: Shape }) {
  return applyDecorators(
    Transform(({ obj, key }) => {
      const sent = (obj as Record<string, unknown>)[key];
      if (!isPlainObject(sent)) return sent;
      const entries = Object.entries(sent).map(
        // For anything but an object, false is one that is not valid: null would be none.
        ([tag, words]) => [canonicalTag(tag) ?? '', isPlainObject(words) ? plainToInstance(of, words) : false] as const,
      );
      // Two names of one language are refused, not merged.
      return new Set(entries.map(([tag]) => tag)).size < entries.length ? null : new Translations(entries);
    }),
    ValidateNested({ message: 'must be an object' }),
    Field(
      {
        ...options,
        description:
          `${description} By language tag (BCP 47), in at most ${MAX_LANGUAGES} languages. What is missing or blank in a ` +
          'language is shown in the original language. A change replaces it as a whole.',
      },
      {
        type: 'object',
        maxProperties: MAX_LANGUAGES,
        propertyNames: LOCALE,
        additionalProperties: { $ref: getSchemaPath(of) },
      },
      `must be an object of at most ${MAX_LANGUAGES} different language tags such as de or pt-BR (BCP 47), each with its texts`,
      (value) => value instanceof Translations && value.size <= MAX_LANGUAGES && !value.has(''),
    ),
    (target: object) => ApiExtraModels(of)(target.constructor),
  );
}
