import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import {
  ChoiceField,
  Field,
  type FieldOptions,
  IdField,
  isAttributeValue,
  KeyField,
  ListField,
  PatternField,
  TextField,
} from '../platform/api/fields/fields';
import { isPlainObject } from '../platform/common/json';
import { ATTRIBUTE_VALUE, KEY, MAX_ATTRIBUTE_NAME, oneOf, type Shape } from '../platform/api/fields/schemas';
import { formOfValue } from './comparisons';
import { type Fact, FACT_NAMES, FACTS, MAX_EARLIER } from './facts';
import { MAX_CONDITIONS, MAX_OPTIONS, MAX_VALUES } from './condition-limits';

export const COMPARISONS = ['=', '!=', 'in', 'not_in', '<', '<=', '>', '>=', 'exists'] as const;
/** Options have no order. */
const ANSWER_COMPARISONS = ['=', '!=', 'in', 'not_in', 'includes', 'exists'] as const;

/** A value of a customer's attribute, or the option that was answered. */
export type ConditionValue = string | number | boolean | null;

/**
 * About a fact or an attribute of the customer, the answer to a survey, or the result of a node of one's own. False if
 * there is none.
 */
export type PlainCondition = FactCondition | AttributeCondition | AnswerCondition | ResultCondition;
/** Whether the conditions of an audience hold is one of a branch's. */
export type Condition = PlainCondition | AudienceCondition;
/** All, or any, of the conditions must hold. A group may contain groups of conditions, and these contain no groups. */
export type ConditionGroup = AllGroup | AnyGroup;

/** The value that a condition compares with. `is` decides whether it is one value, a number, a list or nothing. */
function ValueField(
  docs: FieldOptions,
  message: string,
  item: object,
  maxItems: number,
  isItem: (value: unknown) => boolean,
) {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length >= 1 && value.length <= maxItems && value.every(isItem);
  const fits = (value: unknown, condition: object) => {
    const form = formOfValue(condition as PlainCondition);
    if (form === 'one') return isItem(value);
    if (form === 'list') return isList(value);
    if (form === 'none') return value === undefined;
    // With an `is` that is unknown, only that is reported.
    const isKnown = (COMPARISONS as readonly string[]).includes((condition as PlainCondition).is);
    return typeof value === 'number' || 'answer' in condition || !isKnown;
  };
  return applyDecorators(
    Field(docs, { oneOf: [item, { type: 'array', items: item, minItems: 1, maxItems }] }, message, fits),
    ApiProperty({ required: false }),
  );
}

/** The value that an attribute or a fact is compared with. */
function ComparedField(what: string, example: unknown) {
  return ValueField(
    {
      description: `${what}, for \`=\` and \`!=\`; a list of them for \`in\` and \`not_in\`; a number for \`<\`, \`<=\`, \`>\` and \`>=\`; nothing for \`exists\`.`,
      example,
    },
    `must be a value for = and !=, a list of 1 to ${MAX_VALUES} for in and not_in, a number for <, <=, > and >=, and missing for exists`,
    ATTRIBUTE_VALUE,
    MAX_VALUES,
    isAttributeValue,
  );
}

/** A key of a node, and at most ten names behind it. */
const RESULT = {
  type: 'string',
  maxLength: 714,
  pattern: String.raw`^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,10}$`,
} as const;

export class AttributeCondition {
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
  is: (typeof COMPARISONS)[number];

  @ComparedField('A text, number, boolean or null', ['pro', 'team'])
  value?: ConditionValue | ConditionValue[];
}

const FACTS_TEXT = FACT_NAMES.map((name) => `\`${name}\`: the ${FACTS[name].is}`).join('. ');

export class FactCondition {
  @ChoiceField({
    description:
      `What the service knows of the customer. ${FACTS_TEXT}. ` +
      'The connected billing system says those of the subscription that a customer token names; without a connection, or an id, the token may say them. Earlier ' +
      `sessions are those with the same \`customer.id\`, at most ${MAX_EARLIER} that are over and ${MAX_EARLIER} that are not. A fact that is ` +
      'unknown when the customer takes the first step stays unknown, and the condition is false, whatever `is` says.',
    values: FACT_NAMES,
    example: 'months',
  })
  fact: Fact;

  @ChoiceField({
    description: 'How the fact compares with `value`, as for an attribute. `exists`: it is known.',
    values: COMPARISONS,
    example: '>=',
  })
  is: (typeof COMPARISONS)[number];

  @ComparedField('A text, number or boolean, as the fact is', 6)
  value?: ConditionValue | ConditionValue[];
}

export class AnswerCondition {
  @KeyField({
    description: 'The key of a survey before the branch. Without an answer to it, the condition is false.',
    example: 'reason',
  })
  answer: string;

  @ChoiceField({
    description:
      'How the option that was answered compares with `value`. Of several, `includes` is true if `value` is one of them, `in` if one of the ' +
      'list is, `not_in` if none is, and `=` if it is the only one.',
    values: ANSWER_COMPARISONS,
    example: '=',
  })
  is: (typeof ANSWER_COMPARISONS)[number];

  @ValueField(
    {
      description:
        'An option of the survey for `=`, `!=` and `includes`; a list of them for `in` and `not_in`; nothing for `exists`.',
      example: 'too_expensive',
    },
    `must be an option for =, != and includes, a list of 1 to ${MAX_OPTIONS} for in and not_in, and missing for exists`,
    KEY,
    MAX_OPTIONS,
    (value) => typeof value === 'string',
  )
  value?: string | string[];
}

export class ResultCondition {
  @PatternField(
    {
      description:
        "The key of a node of type `custom` before the branch, and the path into the step's `result`: names of fields and places in lists, " +
        'with dots between. Without such a value, the condition is false.',
      example: 'nps.score',
    },
    RESULT,
    'must be the key of a node, and the path into its result, such as nps.score',
  )
  result: string;

  @ChoiceField({
    description:
      'How the value compares with `value`, as for an attribute. `exists`: the result has it, even if it is null.',
    values: COMPARISONS,
    example: '>=',
  })
  is: (typeof COMPARISONS)[number];

  @ComparedField('A text, number, boolean or null', 9)
  value?: ConditionValue | ConditionValue[];
}

export class AudienceCondition {
  @IdField({
    description:
      'An audience of the workspace: its conditions must hold, as they were when the version was published. In the ' +
      '`when` of an audience, there is none.',
    example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b',
  })
  audience: string;
}

const CONDITIONS = [FactCondition, AttributeCondition, AnswerCondition, ResultCondition, AudienceCondition];

function ConditionsField(description: string, classes: Shape[]) {
  const classOf = (item: object) => {
    if ('all' in item && classes.includes(AllConditions)) return AllConditions;
    if ('any' in item && classes.includes(AnyConditions)) return AnyConditions;
    if ('fact' in item) return FactCondition;
    if ('result' in item) return ResultCondition;
    if ('audience' in item) return AudienceCondition;
    return 'answer' in item ? AnswerCondition : AttributeCondition;
  };
  return ListField({ description, classes, classOf, what: 'conditions', min: 1, max: MAX_CONDITIONS });
}

export class AllConditions {
  @ConditionsField('All of these hold.', CONDITIONS)
  all: Condition[];
}

export class AnyConditions {
  @ConditionsField('One of these holds.', CONDITIONS)
  any: Condition[];
}

const MEMBERS = [...CONDITIONS, AllConditions, AnyConditions];

export class AllGroup {
  @ConditionsField('All of these hold. A group among them contains conditions only.', MEMBERS)
  all: (Condition | ConditionGroup)[];
}

export class AnyGroup {
  @ConditionsField('One of these holds. A group among them contains conditions only.', MEMBERS)
  any: (Condition | ConditionGroup)[];
}

/** Conditions of which all, or any, must hold. */
export function WhenField(description: string, options: Omit<FieldOptions, 'description'> = {}) {
  return applyDecorators(
    ValidateNested({ message: 'must be an object' }),
    Type((holder) => {
      const { when } = holder!.object as { when: unknown };
      return isPlainObject(when) && 'any' in when ? AnyGroup : AllGroup;
    }),
    Field(
      {
        description: `${description} ${MAX_CONDITIONS} conditions at most, those in groups included.`,
        example: { all: [{ attribute: 'plan', is: 'in', value: ['pro', 'team'] }] },
        ...options,
      },
      oneOf([AllGroup, AnyGroup]),
      'must be an object',
      isPlainObject,
    ),
  );
}
