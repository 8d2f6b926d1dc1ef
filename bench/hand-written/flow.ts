/** The graph of a flow, and where a step leads. */

export interface FlowDefinition {
  entry: string;
  nodes: FlowNode[];
}

export interface FlowNode {
  key: string;
  type: 'start' | 'survey' | 'offer' | 'confirm';
  config: { title?: string; body?: string; comment?: string; options?: SurveyOption[]; offer_id?: string };
  next?: string;
}

interface SurveyOption {
  value: string;
  label: string;
  next?: string;
}

export interface Step {
  node_key?: string;
  action: string;
  option?: string;
  comment?: string;
}

const OPTIONS: SurveyOption[] = [
  { value: 'too_expensive', label: 'Too expensive' },
  { value: 'missing_features', label: 'It lacks something I need' },
  { value: 'not_using', label: 'I do not use it enough' },
  { value: 'switching', label: 'I am switching to something else' },
  { value: 'technical_issues', label: 'It does not work well for me' },
  { value: 'other', label: 'Something else' },
];

/** Start, a survey of reasons, each offer in order, confirm. */
export function composeDefinition(productName: string, offerIds: string[]): FlowDefinition {
  const keys = [...offerIds.map((_, index) => `offer_${index + 1}`), 'confirm'];
  const body = `Tell us why you are leaving ${productName}. It takes a minute.`;
  const survey = { title: 'Why are you leaving?', comment: 'optional', options: OPTIONS };
  return {
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go', body }, next: 'reason' },
      { key: 'reason', type: 'survey', config: survey, next: keys[0] },
      ...offerIds.map((offer_id, index): FlowNode => ({
        key: keys[index],
        type: 'offer',
        config: { offer_id },
        next: keys[index + 1],
      })),
      { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
    ],
  };
}

export function nodeOf({ nodes }: FlowDefinition, key: string): FlowNode {
  return nodes.find((node) => node.key === key)!;
}

const ACTIONS = { start: ['continue'], survey: ['answer'], offer: ['accept', 'decline'], confirm: ['confirm'] };

export function takesStep(node: FlowNode, { node_key, action, option }: Step): boolean {
  if (action === 'keep' || action === 'cancel') return true;
  const isOption = node.type === 'survey' ? node.config.options!.some(({ value }) => value === option) : !option;
  return node_key === node.key && ACTIONS[node.type].includes(action) && isOption;
}

export function nextNode(definition: FlowDefinition, { next, config }: FlowNode, { option }: Step): FlowNode {
  const chosen = config.options?.find(({ value }) => value === option);
  return nodeOf(definition, (chosen?.next ?? next)!);
}
