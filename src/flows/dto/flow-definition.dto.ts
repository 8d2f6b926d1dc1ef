import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { ChoiceField, Field, IdField, isPlainObject, KeyField, ObjectField, TextField } from '../../common/fields';
import { oneOfBy } from '../../common/schemas';
import {
  composeDefinition,
  FLOW_NODE_TYPES,
  type FlowDefinition,
  type FlowNode,
  MAX_NODES,
  MAX_OPTIONS,
  SURVEY_COMMENTS,
  type SurveyComment,
} from '../flow-definition';

const NEXT = { description: 'The key of the next node on the way to cancelling.', example: 'confirm' };

export class PageConfigDto {
  @TextField({ description: 'The heading.', example: 'Before you go', max: 200 })
  title: string;

  @TextField({
    description: 'The text below it.',
    example: 'It takes a minute.',
    max: 5000,
    blank: true,
    optional: true,
  })
  body?: string;
}

export class SurveyOptionDto {
  @KeyField({ description: 'What the answer is recorded as; unique in its survey.', example: 'too_expensive' })
  value: string;

  @TextField({ description: 'What the customer reads.', example: 'Too expensive', max: 200 })
  label: string;

  @KeyField({ ...NEXT, description: "Where this answer leads instead of the survey's `next`.", optional: true })
  next?: string;
}

export class SurveyConfigDto extends PageConfigDto {
  @ChoiceField({
    description: 'Whether a comment may (`optional`) or must (`required`) be given. Without it, none is taken.',
    values: SURVEY_COMMENTS,
    example: 'optional',
    optional: true,
  })
  comment?: SurveyComment;

  @ValidateNested({ message: 'must be an object' })
  @Type(() => SurveyOptionDto)
  @Field(
    { description: 'The answers to choose from.', example: [{ value: 'other', label: 'Something else' }] },
    {
      type: 'array',
      items: { $ref: getSchemaPath(SurveyOptionDto) },
      minItems: 1,
      maxItems: MAX_OPTIONS,
    },
    `must be a list of 1 to ${MAX_OPTIONS} options`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_OPTIONS,
  )
  options: SurveyOptionDto[];
}

export class OfferConfigDto {
  @IdField({ description: 'An active offer of the workspace.', example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  offer_id: string;
}

class NodeDto {
  @KeyField({ description: 'Unique in the graph.', example: 'start' })
  key: string;
}

export class StartNodeDto extends NodeDto {
  @ChoiceField({ description: 'A page that the flow begins with.', values: ['start'] })
  type: 'start';

  @ObjectField({ description: 'What to render.', of: () => PageConfigDto })
  config: PageConfigDto;

  @KeyField(NEXT)
  next: string;
}

export class SurveyNodeDto extends NodeDto {
  @ChoiceField({ description: 'A question, such as why the customer leaves.', values: ['survey'] })
  type: 'survey';

  @ObjectField({ description: 'What to render.', of: () => SurveyConfigDto })
  config: SurveyConfigDto;

  @KeyField(NEXT)
  next: string;
}

export class OfferNodeDto extends NodeDto {
  @ChoiceField({ description: 'An offer to stay.', values: ['offer'] })
  type: 'offer';

  @ObjectField({ description: 'What to present.', of: () => OfferConfigDto })
  config: OfferConfigDto;

  @KeyField({
    ...NEXT,
    description: 'The key of the node that follows when the customer declines, and when the offer is archived.',
  })
  next: string;
}

export class ConfirmNodeDto extends NodeDto {
  @ChoiceField({ description: 'The last page: cancel, or keep the subscription.', values: ['confirm'] })
  type: 'confirm';

  @ObjectField({ description: 'What to render.', of: () => PageConfigDto })
  config: PageConfigDto;
}

/** Stands in for a node of an unknown type, so that the error is about the type only. */
class UnknownNodeDto {
  @ChoiceField({ description: '', values: FLOW_NODE_TYPES })
  type: unknown;
}

const NODE_DTOS = { start: StartNodeDto, survey: SurveyNodeDto, offer: OfferNodeDto, confirm: ConfirmNodeDto };

/** The DTO of a node by its type. (The discriminator of class-transformer throws for an item that is null.) */
function toNode(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const { type } = value as { type?: unknown };
  const known = FLOW_NODE_TYPES.find((one) => one === type);
  return known
    ? plainToInstance<object, object>(NODE_DTOS[known], value)
    : Object.assign(new UnknownNodeDto(), { type });
}

@ApiExtraModels(StartNodeDto, SurveyNodeDto, OfferNodeDto, ConfirmNodeDto, SurveyOptionDto)
export class FlowDefinitionDto implements FlowDefinition {
  @KeyField({ description: 'The key of the node that sessions begin at. It must not be an offer.', example: 'start' })
  entry: string;

  @ValidateNested({ message: 'must be an object' })
  @Transform(({ obj }) => {
    const { nodes } = obj as { nodes: unknown };
    return Array.isArray(nodes) ? nodes.map(toNode) : nodes;
  })
  @Field(
    {
      description:
        'The graph. Keys are unique, every `next` is the key of a node, nothing leads in a circle, and every node can be reached.',
      example: composeDefinition('Acme Pro', []).nodes,
    },
    {
      type: 'array',
      items: oneOfBy('type', NODE_DTOS),
      minItems: 1,
      maxItems: MAX_NODES,
    },
    `must be a list of 1 to ${MAX_NODES} nodes`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_NODES,
  )
  nodes: FlowNode[];
}
