import { OmitType, PickType } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import {
  BooleanField,
  ChoiceField,
  IdField,
  KeyField,
  ListField,
  ObjectField,
  WordsField,
} from '../../platform/api/fields/fields';
import { JsonField } from '../../platform/api/fields/json-field';
import type { Json } from '../../platform/common/json';
import { TranslationsField } from '../../platform/api/fields/language-fields';
import { oneOfBy } from '../../platform/api/fields/schemas';
import { PageImageDto, PageImageField, PointsField } from '../../images/dto/image.dto';
import { type Feedback, FEEDBACKS, FLOW_NODE_TYPES, MAX_NODES } from '../graph/graph-limits';
import { MAX_OPTIONS } from '../../conditions/condition-limits';
import { MAX_DATA } from '../../offers/terms/types';
import { composeDefinition, DEFAULT_SURVEY, type SimpleSurvey } from '../graph/simple-definition';
import { CustomTranslation, PageTranslation, SurveyTranslation } from './page-translation.dto';
import { BranchConfig, SplitConfig } from './silent-nodes.dto';

const NEXT = { description: 'The key of the next node on the way to cancelling.', example: 'confirm' };

const PLACEHOLDERS =
  '`{{first_name|there}}` is an attribute of the customer, or the words after the bar; `{{product_name}}` is that of the flow.';

class PageTexts {
  @WordsField({
    description: `The heading; blank only in a draft. ${PLACEHOLDERS}`,
    example: 'Before you go',
    max: 200,
    blank: true,
  })
  title: string;

  @WordsField({
    description: `The text below it. ${PLACEHOLDERS}`,
    example: 'It takes a minute.',
    max: 5000,
    blank: true,
    optional: true,
  })
  body?: string;
}

const TRANSLATIONS = 'The texts in other languages.';

export class PageConfig extends PageTexts {
  @PageImageField()
  image?: PageImageDto | null;

  @PointsField(PLACEHOLDERS, { optional: true })
  points?: string[];

  @TranslationsField({
    description: TRANSLATIONS,
    example: { de: { title: 'Bevor Sie gehen' } },
    of: PageTranslation,
    optional: true,
  })
  translations?: Record<string, PageTranslation>;
}

export class SurveyOption {
  @KeyField({ description: 'What the answer is recorded as; unique in its survey.', example: 'too_expensive' })
  value: string;

  @WordsField({
    description: 'What the customer reads; blank only in a draft. Braces in it are plain text.',
    example: 'Too expensive',
    max: 200,
    blank: true,
  })
  label: string;

  @KeyField({ ...NEXT, description: "Where this answer leads instead of the survey's `next`.", optional: true })
  next?: string;

  @ChoiceField({
    description:
      'What the billing system is told as the reason when a customer with this answer cancels. Customers never see it.',
    values: FEEDBACKS,
    example: 'too_expensive',
    optional: true,
  })
  feedback?: Feedback;

  @WordsField({
    description:
      'The label of the comment while this option is chosen, such as a question about it; of several, that of the first. Braces in it are ' +
      'plain text.',
    example: 'What would be a fair price?',
    max: 200,
    blank: true,
    optional: true,
  })
  comment_label?: string;
}

export class SurveyConfig extends PageTexts {
  @ChoiceField({
    description: 'Whether a comment may (`optional`) or must (`required`) be given. Without it, none is taken.',
    values: ['optional', 'required'],
    example: 'optional',
    optional: true,
  })
  comment?: 'optional' | 'required';

  @BooleanField({
    description:
      'true: the customer may choose several options, and the step sends `options`. The first of them in this order that has `next` ' +
      'leads on, and the first that has `feedback` is what the billing system hears. Statistics count each.',
    example: false,
    optional: true,
  })
  multiple?: boolean;

  @ListField({
    description: 'The answers to choose from.',
    example: [{ value: 'other', label: 'Something else' }],
    classes: [SurveyOption],
    what: 'options',
    min: 1,
    max: MAX_OPTIONS,
  })
  options: SurveyOption[];

  @TranslationsField({
    description: TRANSLATIONS,
    example: { de: { title: 'Warum kündigen Sie?', options: { other: 'Etwas anderes' } } },
    of: SurveyTranslation,
    optional: true,
  })
  translations?: Record<string, SurveyTranslation>;
}

class SimpleSurveyOption extends OmitType(SurveyOption, ['next']) {}

/** The survey of a simple flow: like a graph's, but its options have no `next`. */
export class SimpleSurveyDto extends OmitType(SurveyConfig, ['options']) implements SimpleSurvey {
  @ListField({
    description: 'The answers to choose from. Statistics count by `value`, so keep it when you change a `label`.',
    example: DEFAULT_SURVEY.options,
    classes: [SimpleSurveyOption],
    what: 'options',
    min: 1,
    max: MAX_OPTIONS,
  })
  options: SimpleSurveyOption[];
}

export class OfferConfig {
  @IdField({ description: 'An active offer of the workspace.', example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  offer_id: string;
}

export class CustomConfig extends PickType(PageTexts, ['title']) {
  @KeyField({ description: 'Tells your page which of its components shows the node.', example: 'nps' })
  kind: string;

  @JsonField({
    description: 'For that component. Customers get it with the node.',
    example: { scale: 10 },
    max: MAX_DATA,
    optional: true,
  })
  data?: Json;

  @TranslationsField({
    description: TRANSLATIONS,
    example: { de: { title: 'Würden Sie uns empfehlen?' } },
    of: CustomTranslation,
    optional: true,
  })
  translations?: Record<string, CustomTranslation>;
}

class Node {
  @KeyField({ description: 'Unique in the graph.', example: 'start' })
  key: string;
}

export class StartNode extends Node {
  @ChoiceField({ description: 'A page that the flow begins with.', values: ['start'] })
  type: 'start';

  @ObjectField({ description: 'What to render.', of: () => PageConfig })
  config: PageConfig;

  @KeyField(NEXT)
  next: string;
}

export class SurveyNode extends Node {
  @ChoiceField({ description: 'A question, such as why the customer leaves.', values: ['survey'] })
  type: 'survey';

  @ObjectField({ description: 'What to render.', of: () => SurveyConfig })
  config: SurveyConfig;

  @KeyField(NEXT)
  next: string;
}

export class OfferNode extends Node {
  @ChoiceField({ description: 'An offer to stay.', values: ['offer'] })
  type: 'offer';

  @ObjectField({ description: 'What to present.', of: () => OfferConfig })
  config: OfferConfig;

  @KeyField({
    ...NEXT,
    description: 'The key of the node that follows when the customer declines, and when the offer is archived.',
  })
  next: string;
}

export class ConfirmNode extends Node {
  @ChoiceField({ description: 'The last page: cancel, or keep the subscription.', values: ['confirm'] })
  type: 'confirm';

  @ObjectField({ description: 'What to render.', of: () => PageConfig })
  config: PageConfig;
}

export class CustomNode extends Node {
  @ChoiceField({
    description:
      'A page that your own component shows. The service keeps the `result` of its step, and does not interpret it. The widget shows the ' +
      'title, and a button to go on, which gives no result.',
    values: ['custom'],
  })
  type: 'custom';

  @ObjectField({ description: 'What to show.', of: () => CustomConfig })
  config: CustomConfig;

  @KeyField(NEXT)
  next: string;
}

export class BranchNode extends Node {
  @ChoiceField({
    description: 'Customers never see it. It sends them on by their attributes and answers.',
    values: ['branch'],
  })
  type: 'branch';

  @ObjectField({ description: 'The paths, and the conditions for each.', of: () => BranchConfig })
  config: BranchConfig;

  @KeyField({ ...NEXT, description: 'The key of the node that follows if the conditions of no path hold.' })
  next: string;
}

export class SplitNode extends Node {
  @ChoiceField({
    description:
      'An experiment. Customers never see it: each customer gets one of its arms. The same customer id gets the same ' +
      'arm each time, until the arms, their weights or the plan change; without an id, the arm is drawn for the session.',
    values: ['split'],
  })
  type: 'split';

  @ObjectField({ description: 'The arms, and the weight of each.', of: () => SplitConfig })
  config: SplitConfig;
}

/** Stands in for a node of an unknown type, so that the error is about the type only. */
@Exclude()
class UnknownNode {
  @Expose()
  @ChoiceField({ description: '', values: FLOW_NODE_TYPES })
  type: unknown;
}

export type ShownNode = StartNode | SurveyNode | OfferNode | ConfirmNode | CustomNode;
export type SilentNode = BranchNode | SplitNode;
export type FlowNode = ShownNode | SilentNode;

const NODES = {
  start: StartNode,
  survey: SurveyNode,
  offer: OfferNode,
  confirm: ConfirmNode,
  custom: CustomNode,
  branch: BranchNode,
  split: SplitNode,
};

/** The graph that a customer walks: from `entry`, along `next`, towards cancelling. */
export class FlowDefinition {
  @KeyField({
    description: 'The key of the node that sessions begin at. It must not be an offer, a branch or a split.',
    example: 'start',
  })
  entry: string;

  @ListField({
    description:
      'The graph. Keys are unique, every `next` is the key of a node, nothing leads in a circle, and every node can be reached.',
    example: composeDefinition([]).nodes,
    classes: Object.values(NODES),
    classOf: (node) => NODES[FLOW_NODE_TYPES.find((type) => type === node.type)!] ?? UnknownNode,
    schema: oneOfBy('type', NODES),
    what: 'nodes',
    min: 1,
    max: MAX_NODES,
  })
  nodes: FlowNode[];
}
