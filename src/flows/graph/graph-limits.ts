/** The nodes that customers see, and take a step at. */
export const SHOWN_NODE_TYPES = ['start', 'survey', 'offer', 'confirm', 'custom'] as const;
/** Silent nodes are passed on arrival: customers never see them. */
export const SILENT_NODE_TYPES = ['branch', 'split'] as const;
export const FLOW_NODE_TYPES = [...SHOWN_NODE_TYPES, ...SILENT_NODE_TYPES] as const;

/** The most nodes in a graph. */
export const MAX_NODES = 50;
/** The most offers of a simple flow: its graph also has a start, a survey and a confirm. */
export const MAX_OFFERS = MAX_NODES - 3;
/** The most paths of a branch, and arms of a split. */
export const MAX_PATHS = 20;
/** The most audiences of a workspace. */
export const MAX_AUDIENCES = 100;
/** The largest weight of an arm. */
export const MAX_WEIGHT = 1000;

/** The most bytes of the result of a step at a node of type `custom`, as JSON. */
export const MAX_RESULT = 2048;

/** Why a customer cancels, in words that billing systems know. */
export const FEEDBACKS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;
export type Feedback = (typeof FEEDBACKS)[number];

/** How many days an experiment is planned to be read. */
export const PLANNED_DAYS = { min: 7, max: 90, usual: 30 };
