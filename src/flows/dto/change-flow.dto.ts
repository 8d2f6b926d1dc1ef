import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../common/api-examples';
import { ChoiceField, EmailField, Field, IdListField, ObjectField, TextField, UrlField } from '../../common/fields';
import { type Metadata, MetadataField } from '../../common/metadata';
import { AMOUNT } from '../../common/schemas';
import { FLOW_MODES, type FlowMode } from '../flow-version.entity';
import { FLOW_STATUSES, type FlowStatus } from '../flow.entity';
import { MAX_OFFERS } from '../graph-limits';
import type { SimpleSurvey } from '../simple-definition';
import { FlowDefinition, type FlowNode, SimpleSurveyDto, SurveyOption } from './flow-definition.dto';

/** What a workspace says of a flow. */
export class FlowFieldsDto {
  @TextField({ description: 'The name of the flow.', example: 'Leaving Acme Pro', max: 200 })
  name: string;

  @TextField({
    description: 'Product the flow is for. It is `{{product_name}}` in titles and bodies. Braces in it are plain text.',
    example: 'Acme Pro',
    max: 200,
  })
  product_name: string;

  @UrlField({
    description: 'Where the customer is redirected on cancel.',
    example: 'https://acme.example/account/cancel',
  })
  cancellation_url: string;

  @ChoiceField({
    description:
      '`simple`: the service composes the graph: start, a survey of reasons (`survey`), each of `offer_ids`, confirm. ' +
      '`advanced`: you send the graph as `definition`; until you do, the flow has the composed one.',
    values: FLOW_MODES,
    example: 'simple',
    default: 'simple',
  })
  flow_mode: FlowMode;

  @TextField({
    description: 'A note for your own team; customers never see it.',
    example: 'For monthly plans.',
    max: 5000,
    blank: true,
    nullable: true,
  })
  description: string | null;

  @Field(
    {
      description: 'What a customer who stays is worth per month, in your currency, with at most two decimals.',
      example: 49.9,
      nullable: true,
    },
    AMOUNT,
    `must be a number from 0 to ${AMOUNT.maximum} with at most two decimals`,
    (value) =>
      typeof value === 'number' && value >= 0 && value <= AMOUNT.maximum && Math.round(value * 100) / 100 === value,
  )
  estimated_monthly_value: number | null;

  @EmailField({
    description:
      'Gets a mail about each session of this flow that is saved or canceled, at most 30 an hour and one that sums up ' +
      'the others. Nothing is sent unless the operator has set `SMTP_URL`.',
    example: 'retention@acme.example',
    nullable: true,
  })
  notification_email: string | null;

  @MetadataField({
    description: 'Your own names for the flow, such as the product in your billing system. Events of the flow have it.',
    example: { stripe_product: 'prod_pro' },
    default: {},
  })
  metadata: Metadata;

  @ObjectField({
    description:
      "Simple flows only: the survey in words of your own; null for the service's. A flow that becomes advanced has it in " +
      'its graph, and here null.',
    of: () => SimpleSurveyDto,
    nullable: true,
    default: null,
  })
  survey: SimpleSurvey | null;

  @ObjectField({
    description: 'The graph that customers walk through. Only an advanced flow takes one.',
    of: () => FlowDefinition,
  })
  definition: FlowDefinition;
}

const REQUIRED = ['name', 'product_name', 'cancellation_url'] as const;

export class CreateFlowDto extends IntersectionType(
  PickType(FlowFieldsDto, REQUIRED),
  PartialType(OmitType(FlowFieldsDto, REQUIRED), { skipNullProperties: false }),
) {
  @IdListField({
    description: 'Simple flows only: active offers of the workspace, in the order in which they are presented.',
    example: [],
    default: [],
    max: MAX_OFFERS,
    optional: true,
  })
  offer_ids?: string[];
}

export class UpdateFlowDto extends PartialType(CreateFlowDto, { skipNullProperties: false }) {
  @ChoiceField({
    description: 'Only a `published` flow can be started. Any status may follow any other.',
    values: FLOW_STATUSES,
    example: 'published',
    optional: true,
  })
  status?: FlowStatus;
}

const FLOW = {
  name: 'Leaving Acme Pro',
  product_name: 'Acme Pro',
  cancellation_url: 'https://acme.example/account/cancel',
};

const SURVEY: SimpleSurvey = {
  title: 'What makes you leave {{product_name}}?',
  comment: 'required',
  options: [
    { value: 'too_expensive', label: 'The price' },
    { value: 'other', label: 'Something else' },
  ],
};

const OFFER_IDS = ['019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b'];

const START = { key: 'start', type: 'start', config: { title: 'Before you go' } } as const;
const CONFIRM: FlowNode = { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } };

function survey(key: string, title: string, options: SurveyOption[]): FlowNode {
  return { key, type: 'survey', config: { title, options }, next: 'confirm' };
}

/** It has no offers, so that it works without pasting ids. */
export const DEFINITION: FlowDefinition = {
  entry: 'start',
  nodes: [
    { ...START, next: 'reason' },
    survey('reason', 'Why are you leaving?', [
      { value: 'too_expensive', label: 'Too expensive', next: 'price' },
      { value: 'other', label: 'Something else' },
    ]),
    survey('price', 'What would you pay?', [
      { value: 'half', label: 'Half the price' },
      { value: 'nothing', label: 'Nothing' },
    ]),
    CONFIRM,
  ],
};

/** Asks the larger teams nothing more, and half of the others whether a break would do. */
const EXPERIMENT: FlowDefinition = {
  entry: 'start',
  nodes: [
    { ...START, next: 'team' },
    {
      key: 'team',
      type: 'branch',
      config: { ways: [{ when: { all: [{ attribute: 'seats', is: '>=', value: 10 }] }, next: 'confirm' }] },
      next: 'test',
    },
    {
      key: 'test',
      type: 'split',
      config: {
        ways: [
          { name: 'break', weight: 50, next: 'break' },
          { name: 'nothing', weight: 50, next: 'confirm' },
        ],
      },
    },
    survey('break', 'Would a break do?', [
      { value: 'yes', label: 'Yes, for a while' },
      { value: 'no', label: 'No' },
    ]),
    CONFIRM,
  ],
};

export const ApiNewFlow = () =>
  ApiExamples(CreateFlowDto, {
    simple: { ...FLOW, estimated_monthly_value: 49.9 },
    'with a survey of your own': { ...FLOW, survey: SURVEY },
    'with offers (paste the ids of yours)': { ...FLOW, offer_ids: OFFER_IDS },
    advanced: { ...FLOW, flow_mode: 'advanced', definition: DEFINITION },
    'with a branch and a split': { ...FLOW, flow_mode: 'advanced', definition: EXPERIMENT },
  });

export const ApiFlowChanges = () =>
  ApiExamples(UpdateFlowDto, {
    rename: { name: 'Leaving Acme Pro, monthly' },
    publish: { status: 'published' },
    'present offers (paste the ids of yours)': { offer_ids: OFFER_IDS },
    'ask in your own words': { survey: SURVEY },
    "ask in the service's words": { survey: null },
    'send a graph': { flow_mode: 'advanced', definition: DEFINITION },
    'clear a field': { description: null },
  });
