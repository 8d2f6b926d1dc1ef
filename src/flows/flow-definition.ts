/** The graph that a customer walks: from `entry`, along `next`, towards cancelling. */
export interface FlowDefinition {
  entry: string;
  nodes: FlowNode[];
}

export const FLOW_NODE_TYPES = ['start', 'survey', 'offer', 'confirm'] as const;

export type FlowNode = StartNode | SurveyNode | OfferNode | ConfirmNode;

export interface StartNode {
  key: string;
  type: 'start';
  config: { title: string; body?: string };
  next: string;
}

export interface SurveyNode {
  key: string;
  type: 'survey';
  config: { title: string; comment?: 'optional'; options: SurveyOption[] };
  next: string;
}

/** A reason to leave; with `next`, the customer who gives it goes on there instead of the survey's own `next`. */
export interface SurveyOption {
  value: string;
  label: string;
  next?: string;
}

export interface OfferNode {
  key: string;
  type: 'offer';
  config: { offer_id: string };
  next: string;
}

export interface ConfirmNode {
  key: string;
  type: 'confirm';
  config: { title: string; body?: string };
}

/** A graph has at most this many nodes. */
export const MAX_NODES = 50;
/** How many offers a simple flow presents at most: its graph has a start, a survey and a confirm besides. */
export const MAX_OFFERS = MAX_NODES - 3;

const REASONS: SurveyOption[] = [
  { value: 'too_expensive', label: 'Too expensive' },
  { value: 'missing_features', label: 'It lacks something I need' },
  { value: 'not_using', label: 'I do not use it enough' },
  { value: 'switching', label: 'I am switching to something else' },
  { value: 'technical_issues', label: 'It does not work well for me' },
  { value: 'other', label: 'Something else' },
];

/** The graph of a simple flow: start, a survey of reasons, each offer in order, confirm. */
export function composeDefinition(productName: string, offerIds: string[]): FlowDefinition {
  const offerKeys = offerIds.map((_, index) => `offer_${index + 1}`);
  const afterSurvey = [...offerKeys, 'confirm'];
  return {
    entry: 'start',
    nodes: [
      {
        key: 'start',
        type: 'start',
        config: { title: 'Before you go', body: `Tell us why you are leaving ${productName}. It takes a minute.` },
        next: 'reason',
      },
      {
        key: 'reason',
        type: 'survey',
        config: { title: 'Why are you leaving?', comment: 'optional', options: REASONS },
        next: afterSurvey[0],
      },
      ...offerIds.map((offer_id, index): OfferNode => ({
        key: offerKeys[index],
        type: 'offer',
        config: { offer_id },
        next: afterSurvey[index + 1],
      })),
      { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
    ],
  };
}
