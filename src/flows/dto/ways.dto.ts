import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import {
  ChoiceField,
  Field,
  type FieldOptions,
  IntegerField,
  isAttributeValue,
  isPlainObject,
  KeyField,
  ListField,
  TextField,
} from '../../common/fields';
import { ATTRIBUTE_VALUE, KEY, MAX_ATTRIBUTE_NAME } from '../../common/schemas';
import {
  ANSWER_COMPARISONS,
  type Comparison,
  COMPARISONS,
  type Condition,
  type ConditionGroup,
  type ConditionValue,
  MAX_CONDITIONS,
  MAX_OPTIONS,
  MAX_VALUES,
  MAX_WAYS,
  MAX_WEIGHT,
} from '../flow-definition';

interface ValueOptions extends FieldOptions {
  comparisons: readonly Comparison[];
  message: string;
  item: object;
  maxItems: number;
  isItem: (value: unknown) => boolean;
}

/** What a condition compares with. `is` decides whether that is one value, a number, a list or nothing. */
function ValueField({ comparisons, message, item, maxItems, isItem, ...docs }: ValueOptions) {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length >= 1 && value.length <= maxItems && value.every(isItem);
  const fits = (is: unknown, value: unknown) => {
    if (is === '=' || is === '!=') return isItem(value);
    if (is === 'in' || is === 'not_in') return isList(value);
    if (is === 'exists') return value === undefined;
    // With an `is` that is unknown, only that is reported.
    return typeof value === 'number' || !comparisons.some((known) => known === is);
  };
  return applyDecorators(
    Field(docs, { oneOf: [item, { type: 'array', items: item, minItems: 1, maxItems }] }, message, (value, condition) =>
      fits((condition as Condition).is, value),
    ),
    ApiProperty({ required: false }),
  );
}

const WAY_NEXT = { description: 'The key of the node that this way leads to.', example: 'confirm' };

export class AttributeConditionDto implements Condition {
  @TextField({
    description: "The name of a customer's attribute. Without it, the condition is false, whatever `is` says.",
    example: 'plan',
    max: MAX_ATTRIBUTE_NAME,
  })
  attribute: string;

  @ChoiceField({
    description:
      'How the attribute compares with `value`. `exists`: the customer has it, even if it is null. `=`, `!=`, `in` and `not_in` tell texts, numbers and booleans apart: ' +
      '`"10"` is not `10`. `<`, `<=`, `>` and `>=` compare numbers, and are false for anything else.',
    values: COMPARISONS,
    example: 'in',
  })
  is: Comparison;

  @ValueField({
    description:
      'A text, number, boolean or null for `=` and `!=`; a list of them for `in` and `not_in`; a number for `<`, `<=`, `>` ' +
      'and `>=`; nothing for `exists`.',
    example: ['pro', 'team'],
    comparisons: COMPARISONS,
    message: `must be a value for = and !=, a list of 1 to ${MAX_VALUES} for in and not_in, a number for <, <=, > and >=, and missing for exists`,
    item: ATTRIBUTE_VALUE,
    maxItems: MAX_VALUES,
    isItem: isAttributeValue,
  })
  value?: ConditionValue | ConditionValue[];
}

export class AnswerConditionDto implements Condition {
  @KeyField({
    description: 'The key of a survey before the branch. Without an answer to it, the condition is false.',
    example: 'reason',
  })
  answer: string;

  @ChoiceField({
    description: 'How the option that was answered compares with `value`.',
    values: ANSWER_COMPARISONS,
    example: '=',
  })
  is: Comparison;

  @ValueField({
    description:
      'An option of the survey for `=` and `!=`; a list of them for `in` and `not_in`; nothing for `exists`.',
    example: 'too_expensive',
    comparisons: ANSWER_COMPARISONS,
    message: `must be an option for = and !=, a list of 1 to ${MAX_OPTIONS} for in and not_in, and missing for exists`,
    item: KEY,
    maxItems: MAX_OPTIONS,
    isItem: (value) => typeof value === 'string',
  })
  value?: string | string[];
}

function ConditionsField(description: string, of: (item: object) => new () => object, classes: (new () => object)[]) {
  return applyDecorators(
    ListField({
      description,
      of,
      items: { oneOf: classes.map((one) => ({ $ref: getSchemaPath(one) })) },
      what: 'conditions',
      min: 1,
      max: MAX_CONDITIONS,
    }),
    (target: object) => ApiExtraModels(...classes)(target.constructor),
  );
}

const conditionDtoOf = (item: object) => ('answer' in item ? AnswerConditionDto : AttributeConditionDto);
const CONDITIONS = [AttributeConditionDto, AnswerConditionDto];

export class AllConditionsDto {
  @ConditionsField('All of these hold.', conditionDtoOf, CONDITIONS)
  all: Condition[];
}

export class AnyConditionsDto {
  @ConditionsField('One of these holds.', conditionDtoOf, CONDITIONS)
  any: Condition[];
}

function memberDtoOf(item: object) {
  if ('all' in item) return AllConditionsDto;
  return 'any' in item ? AnyConditionsDto : conditionDtoOf(item);
}

const MEMBERS = [...CONDITIONS, AllConditionsDto, AnyConditionsDto];

export class AllGroupDto {
  @ConditionsField('All of these hold. A group among them contains conditions only.', memberDtoOf, MEMBERS)
  all: (Condition | ConditionGroup)[];
}

export class AnyGroupDto {
  @ConditionsField('One of these holds. A group among them contains conditions only.', memberDtoOf, MEMBERS)
  any: (Condition | ConditionGroup)[];
}

@ApiExtraModels(AllGroupDto, AnyGroupDto)
export class BranchWayDto {
  @ValidateNested({ message: 'must be an object' })
  @Type((way) => {
    const { when } = way!.object as { when: unknown };
    return isPlainObject(when) && 'any' in when ? AnyGroupDto : AllGroupDto;
  })
  @Field(
    {
      description: `Conditions of which \`all\`, or \`any\`, must hold: ${MAX_CONDITIONS} at most, those in groups included.`,
      example: { all: [{ attribute: 'plan', is: 'in', value: ['pro', 'team'] }] },
    },
    { oneOf: [{ $ref: getSchemaPath(AllGroupDto) }, { $ref: getSchemaPath(AnyGroupDto) }] },
    'must be an object',
    isPlainObject,
  )
  when: ConditionGroup;

  @KeyField(WAY_NEXT)
  next: string;
}

@ApiExtraModels(BranchWayDto)
export class BranchConfigDto {
  @ListField({
    description: 'The customer takes the first way whose conditions hold.',
    of: () => BranchWayDto,
    items: { $ref: getSchemaPath(BranchWayDto) },
    what: 'ways',
    min: 1,
    max: MAX_WAYS,
  })
  ways: BranchWayDto[];
}

export class SplitWayDto {
  @KeyField({ description: 'Unique in its split. Statistics count by it.', example: 'discount' })
  name: string;

  @IntegerField({
    description:
      "The share of the customers who go this way is its weight / the sum of the split's weights. 0: nobody.",
    example: 50,
    min: 0,
    max: MAX_WEIGHT,
  })
  weight: number;

  @KeyField(WAY_NEXT)
  next: string;
}

@ApiExtraModels(SplitWayDto)
export class SplitConfigDto {
  @ListField({
    description: 'The ways to compare. One of them has a weight above 0.',
    of: () => SplitWayDto,
    items: { $ref: getSchemaPath(SplitWayDto) },
    what: 'ways',
    min: 2,
    max: MAX_WAYS,
  })
  ways: SplitWayDto[];
}
