import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import { ChoiceField, IdField, KeyField, ListField, ObjectField, TextField } from '../../common/fields';
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
import { BranchConfigDto, SplitConfigDto } from './ways.dto';

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

  @ListField({
    description: 'The answers to choose from.',
    example: [{ value: 'other', label: 'Something else' }],
    of: () => SurveyOptionDto,
    items: { $ref: getSchemaPath(SurveyOptionDto) },
    what: 'options',
    min: 1,
    max: MAX_OPTIONS,
  })
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

export class BranchNodeDto extends NodeDto {
  @ChoiceField({
    description: 'Customers never see it: it sends them on by what is known of them.',
    values: ['branch'],
  })
  type: 'branch';

  @ObjectField({ description: 'The ways, and the conditions for each.', of: () => BranchConfigDto })
  config: BranchConfigDto;

  @KeyField({ ...NEXT, description: 'The key of the node that follows if the conditions of no way hold.' })
  next: string;
}

export class SplitNodeDto extends NodeDto {
  @ChoiceField({
    description:
      'An experiment. Customers never see it: it sends each customer one of its ways. The same customer id gets the same ' +
      'way each time, until names or weights change; without an id, the way is drawn for the session.',
    values: ['split'],
  })
  type: 'split';

  @ObjectField({ description: 'The ways, and the weight of each.', of: () => SplitConfigDto })
  config: SplitConfigDto;
}

/** Stands in for a node of an unknown type, so that the error is about the type only. */
@Exclude()
class UnknownNodeDto {
  @Expose()
  @ChoiceField({ description: '', values: FLOW_NODE_TYPES })
  type: unknown;
}

const NODE_DTOS = {
  start: StartNodeDto,
  survey: SurveyNodeDto,
  offer: OfferNodeDto,
  confirm: ConfirmNodeDto,
  branch: BranchNodeDto,
  split: SplitNodeDto,
};

@ApiExtraModels(...Object.values(NODE_DTOS), SurveyOptionDto)
export class FlowDefinitionDto implements FlowDefinition {
  @KeyField({
    description: 'The key of the node that sessions begin at. It must not be an offer, a branch or a split.',
    example: 'start',
  })
  entry: string;

  @ListField({
    description:
      'The graph. Keys are unique, every `next` is the key of a node, nothing leads in a circle, and every node can be reached.',
    example: composeDefinition('Acme Pro', []).nodes,
    of: nodeDtoOf,
    items: oneOfBy('type', NODE_DTOS),
    what: 'nodes',
    min: 1,
    max: MAX_NODES,
  })
  nodes: FlowNode[];
}

function nodeDtoOf(node: { type?: unknown }): new () => object {
  const type = FLOW_NODE_TYPES.find((one) => one === node.type);
  return type ? NODE_DTOS[type] : UnknownNodeDto;
}
