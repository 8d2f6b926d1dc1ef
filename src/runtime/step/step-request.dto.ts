import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json } from '../../platform/common/json';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, Field, IntegerField, isSet, KeyField, WordsField } from '../../platform/api/fields/fields';
import { JsonField } from '../../platform/api/fields/json-field';
import { Choice, Key } from '../../platform/api/fields/shown';
import { anyText, integer, jsonOf, KEY, oneOfBy } from '../../platform/api/fields/schemas';
import { MAX_OPTIONS } from '../../conditions/condition-limits';
import { MAX_RESULT } from '../../flows/graph/graph-limits';
import { MAX_MONTHS } from '../../offers/terms/types';
import { STEP_ACTIONS, type StepAction } from '../../sessions/session-step.entity';
import type { Step } from './next-step';

const MAX_COMMENT = 5000;

const OPTIONS = {
  type: 'array',
  items: KEY,
  minItems: 1,
  maxItems: MAX_OPTIONS,
  uniqueItems: true,
} satisfies ApiPropertyOptions;
const areOptions = (value: unknown) =>
  isSet(value, MAX_OPTIONS, (item) => typeof item === 'string') && (value as unknown[]).length > 0;

/** The fields of any step. `nextStep` checks which fields go with which action, and the OpenAPI document says so. */
export class StepDto implements Step {
  @KeyField({ description: '', optional: true })
  node_key?: string;

  @ChoiceField({ description: '', values: STEP_ACTIONS })
  action: StepAction;

  @KeyField({ description: '', optional: true })
  option?: string;

  @Field(
    { description: '', optional: true },
    OPTIONS,
    `must be a list of 1 to ${MAX_OPTIONS} different options`,
    areOptions,
  )
  options?: string[];

  @WordsField({ description: '', max: MAX_COMMENT, blank: true, optional: true })
  comment?: string;

  @IntegerField({ description: '', min: 1, max: MAX_MONTHS, optional: true })
  months?: number;

  @JsonField({ description: '', max: MAX_RESULT, optional: true })
  result?: Json;
}

class StepAtNodeDto {
  @Key('The key of the node where the step is taken.', 'start')
  node_key: string;
}

export class ContinueStepDto extends StepAtNodeDto {
  @Choice(['continue'], 'At a start: go on to the next node.', 'continue')
  action: 'continue';
}

/** A generator of clients knows no union within a union: one class has `option` and `options`. */
export class AnswerStepDto extends StepAtNodeDto {
  @Choice(
    ['answer'],
    'At a survey: choose an option, or several. At a node of type `custom`: go on, with what your component gives.',
  )
  action: 'answer';

  @ApiPropertyOptional({
    ...KEY,
    description: 'The `value` of the option that was chosen. Required at a survey, unless it is `multiple`.',
    example: 'too_expensive',
  })
  option?: string;

  @ApiPropertyOptional({
    ...OPTIONS,
    description:
      'Required in place of `option` if the survey is `multiple`: the `value` of each option that was chosen, in any order.',
    example: ['too_expensive', 'missing_features'],
  })
  options?: string[];

  @ApiPropertyOptional({
    ...anyText(MAX_COMMENT),
    description: 'What the customer wrote. Only if the survey takes a comment; if it says `required`, not blank.',
    example: 'Twice the price of last year.',
  })
  comment?: string;

  @ApiPropertyOptional({
    ...jsonOf(MAX_RESULT),
    description:
      `Only at a node of type \`custom\`: what your component gives, any JSON of at most ${MAX_RESULT} bytes. It is kept with the step, and ` +
      'branches can ask for it. Erasing the customer forgets it.',
    example: { score: 9 },
  })
  result?: Json;
}

export class AcceptStepDto extends StepAtNodeDto {
  @Choice(['accept'], 'At an offer: end the session as saved, or as contacted if its `outcome` is `open`.', 'accept')
  action: 'accept';

  @ApiPropertyOptional({
    ...integer(1, MAX_MONTHS),
    description: 'The one of the `months` of the offer that the customer chose; only for an offer that has some.',
    example: 2,
  })
  months?: number;
}

export class DeclineStepDto extends StepAtNodeDto {
  @Choice(['decline'], 'At an offer: go on to the next node.', 'decline')
  action: 'decline';
}

export class ConfirmStepDto extends StepAtNodeDto {
  @Choice(['confirm'], 'At a confirm: end the session as canceled.')
  action: 'confirm';
}

export class LeaveStepDto {
  @ApiPropertyOptional({ ...KEY, description: 'Ignored.', example: 'start' })
  node_key?: string;

  @Choice(
    ['keep', 'cancel'],
    'At any node: `keep` (the subscription) ends the session as saved, `cancel` as canceled. A contacted customer may `cancel`, too.',
  )
  action: 'keep' | 'cancel';
}

const STEPS = {
  continue: ContinueStepDto,
  answer: AnswerStepDto,
  accept: AcceptStepDto,
  decline: DeclineStepDto,
  confirm: ConfirmStepDto,
  keep: LeaveStepDto,
  cancel: LeaveStepDto,
} as const satisfies Record<StepAction, unknown>;

/** A step in the OpenAPI document. */
export const STEP_SCHEMA = {
  description: 'What the customer does. `action` says at which node, and what goes with it.',
  ...oneOfBy('action', STEPS),
};

/** One example for each kind of step, because no step has all fields. */
export const ApiSteps = () =>
  applyDecorators(
    ApiExtraModels(...Object.values(STEPS)),
    ApiExamples(StepDto, {
      'at the start': { node_key: 'start', action: 'continue' },
      'at the survey': {
        node_key: 'reason',
        action: 'answer',
        option: 'too_expensive',
        comment: 'Twice the price of last year.',
      },
      'at a page of your own': { node_key: 'nps', action: 'answer', result: { score: 9 } },
      'at an offer: accept': { node_key: 'offer_1', action: 'accept' },
      'at an offer: decline': { node_key: 'offer_1', action: 'decline' },
      'at the end: confirm': { node_key: 'confirm', action: 'confirm' },
      'anywhere: keep': { action: 'keep' },
      'anywhere: cancel': { action: 'cancel' },
    }),
  );
