import { jsonPointer } from '../common/problem';

/** The graph that a customer walks: from `entry`, along `next`, towards cancelling. */
export interface FlowDefinition {
  entry: string;
  nodes: FlowNode[];
}

/** The nodes that customers see, and take a step at. */
export const SHOWN_NODE_TYPES = ['start', 'survey', 'offer', 'confirm'] as const;
/** Silent nodes are passed on arrival: customers never see them. */
export const SILENT_NODE_TYPES = ['branch', 'split'] as const;
export const FLOW_NODE_TYPES = [...SHOWN_NODE_TYPES, ...SILENT_NODE_TYPES] as const;

export type ShownNode = StartNode | SurveyNode | OfferNode | ConfirmNode;
export type SilentNode = BranchNode | SplitNode;
export type FlowNode = ShownNode | SilentNode;

export interface StartNode {
  key: string;
  type: 'start';
  config: { title: string; body?: string };
  next: string;
}

export interface SurveyNode {
  key: string;
  type: 'survey';
  config: { title: string; body?: string; comment?: SurveyComment; options: SurveyOption[] };
  next: string;
}

/** Whether a survey takes a comment; without it, it takes none. */
export const SURVEY_COMMENTS = ['optional', 'required'] as const;
export type SurveyComment = (typeof SURVEY_COMMENTS)[number];

/** A reason to leave. Its own `next`, if it has one, takes precedence over the survey's. */
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

/** Sends customers on by what is known of them: the first way whose conditions hold, or else `next`. */
export interface BranchNode {
  key: string;
  type: 'branch';
  config: { ways: BranchWay[] };
  next: string;
}

export interface BranchWay {
  when: ConditionGroup;
  next: string;
}

/** Conditions of which all, or any, must hold. A group may contain groups of conditions, and these contain no groups. */
export type ConditionGroup = { all: (Condition | ConditionGroup)[] } | { any: (Condition | ConditionGroup)[] };

export const COMPARISONS = ['=', '!=', 'in', 'not_in', '<', '<=', '>', '>=', 'exists'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** Options have no order. */
export const ANSWER_COMPARISONS = ['=', '!=', 'in', 'not_in', 'exists'] as const satisfies Comparison[];

/** A value of a customer's attribute, or the option that was answered. */
export type ConditionValue = string | number | boolean | null;

/** About an attribute of the customer, or about the answer to a survey (its key). False if there is none. */
export interface Condition {
  attribute?: string;
  answer?: string;
  is: Comparison;
  /** A list for `in` and `not_in`, none for `exists`. */
  value?: ConditionValue | ConditionValue[];
}

/** An experiment: sends each customer one of the ways, always the same one. */
export interface SplitNode {
  key: string;
  type: 'split';
  config: { ways: SplitWay[] };
}

export interface SplitWay {
  /** Unique in its split: numbers are counted by it. */
  name: string;
  /** The share of the customers is the weight / the sum of the weights. */
  weight: number;
  next: string;
}

/** The most nodes in a graph. */
export const MAX_NODES = 50;
/** The most options of a survey. */
export const MAX_OPTIONS = 20;
/** The most ways of a branch or a split. */
export const MAX_WAYS = 20;
/** The most conditions of a way. */
export const MAX_CONDITIONS = 10;
/** The most values in the list of a condition. */
export const MAX_VALUES = 50;
/** The largest weight of a way. */
export const MAX_WEIGHT = 1000;
/** The most offers of a simple flow: its graph also has a start, a survey and a confirm. */
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

/** The node with a key, which must be in the graph. */
export function nodeOf({ nodes }: FlowDefinition, key: string): FlowNode {
  return nodes.find((node) => node.key === key)!;
}

/** The node with a key, which must be one that customers see. */
export function shownNodeOf(definition: FlowDefinition, key: string): ShownNode {
  const node = nodeOf(definition, key);
  if (isSilent(node)) throw new Error(`no customer stands at a ${node.type}`);
  return node;
}

export function isSilent(node: FlowNode): node is SilentNode {
  return (SILENT_NODE_TYPES as readonly string[]).includes(node.type);
}

/** The offers that a graph names, each with the JSON Pointer to its place in the graph. */
export function offersOf({ nodes }: FlowDefinition): { id: string; pointer: string }[] {
  return nodes.flatMap((node, index) =>
    node.type === 'offer'
      ? [{ id: node.config.offer_id, pointer: jsonPointer('nodes', index, 'config', 'offer_id') }]
      : [],
  );
}

/** The keys that a node leads to, each with its place in the node. */
export function waysFrom(node: FlowNode): { target: string; path: (string | number)[] }[] {
  if (node.type === 'confirm') return [];
  const ofWays =
    node.type === 'branch' || node.type === 'split'
      ? node.config.ways.map(({ next }, index) => ({ target: next, path: ['config', 'ways', index, 'next'] }))
      : [];
  if (node.type === 'split') return ofWays;
  const own = { target: node.next, path: ['next'] };
  if (node.type === 'branch') return [...ofWays, own];
  if (node.type !== 'survey') return [own];
  const ofOptions = node.config.options.flatMap(({ next }, index) =>
    next === undefined ? [] : [{ target: next, path: ['config', 'options', index, 'next'] }],
  );
  return [own, ...ofOptions];
}
