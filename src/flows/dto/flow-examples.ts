import { ApiExamples } from '../../platform/api/fields/api-examples';
import type { FlowExit } from '../flow-exit';
import type { SimpleSurvey } from '../graph/simple-definition';
import { CreateFlowDto, UpdateFlowDto } from './change-flow.dto';
import type { FlowDefinition, FlowNode, SurveyOption } from './flow-definition.dto';

const EXIT: FlowExit = {
  enabled: true,
  kinds: ['termination', 'withdrawal'],
  recipient_email: 'contracts@acme.example',
  confirmation_from: null,
  session_receipts: false,
};

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
    'open the exit page': { exit: EXIT },
    'say where the cancel button leads': { install: { button_leads_to: 'exit' } },
  });
