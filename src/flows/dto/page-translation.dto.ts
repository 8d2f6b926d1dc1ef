import { PickType } from '@nestjs/swagger';
import { Field, type FieldOptions, WordsField } from '../../platform/api/fields/fields';
import { isPlainObject } from '../../platform/common/json';
import { anyText, KEY } from '../../platform/api/fields/schemas';
import { isText } from '../../platform/api/fields/text';
import { PointsField } from '../../images/dto/image.dto';
import { MAX_ALT } from '../../images/image-limits';
import { MAX_OPTIONS } from '../../conditions/condition-limits';

const KEY_FORM = new RegExp(KEY.pattern);

const TRANSLATION = 'It has the placeholders of the text that it translates; the words after the bar may differ.';

class PageTexts {
  @WordsField({
    description: `The heading. ${TRANSLATION}`,
    example: 'Bevor Sie gehen',
    max: 200,
    blank: true,
    optional: true,
  })
  title?: string;

  @WordsField({ description: `The text below it. ${TRANSLATION}`, max: 5000, blank: true, optional: true })
  body?: string;
}

/** Texts of the options, by their value. */
function LabelsField(options: Pick<FieldOptions, 'description' | 'example'>) {
  return Field(
    { ...options, optional: true },
    { type: 'object', maxProperties: MAX_OPTIONS, propertyNames: KEY, additionalProperties: anyText(200) },
    `must be an object of at most ${MAX_OPTIONS} values of options and texts of at most 200 characters`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_OPTIONS &&
      Object.entries(value).every(([option, label]) => KEY_FORM.test(option) && isText(label, 200)),
  );
}

export class CustomTranslation extends PickType(PageTexts, ['title']) {}

export class PageTranslation extends PageTexts {
  @PointsField('By their places; one that is blank or missing is shown in the original language.', { optional: true })
  points?: string[];

  @WordsField({ description: 'The `alt` of the picture.', max: MAX_ALT, blank: true, optional: true })
  image_alt?: string;
}

export class SurveyTranslation extends PageTexts {
  @LabelsField({
    description: 'What the customer reads of the options, by their `value`.',
    example: { too_expensive: 'Zu teuer' },
  })
  options?: Record<string, string>;

  @LabelsField({
    description: 'The `comment_label` of the options, by their `value`.',
    example: { too_expensive: 'Welcher Preis wäre angemessen?' },
  })
  comment_labels?: Record<string, string>;
}
