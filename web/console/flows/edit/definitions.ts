import type { FlowDefinition, FlowNode } from '@retention-flow/client';

type Survey = Extract<FlowNode, { type: 'survey' }>;

const REASONS: Survey['config']['options'] = [
  { value: 'too_expensive', label: 'Too expensive' },
  { value: 'missing_features', label: 'It lacks something I need' },
  { value: 'not_using', label: 'I do not use it enough' },
  { value: 'switching', label: 'I am switching to something else' },
  { value: 'technical_issues', label: 'It does not work well for me' },
  { value: 'other', label: 'Something else' },
];

/** The graph that the service composes for a simple flow: start, a survey of reasons, each offer in order, confirm. */
export function composed(productName: string, offerIds: string[]): FlowDefinition {
  const after = [...offerIds.map((_, index) => `offer_${index + 1}`), 'confirm'];
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
        next: after[0],
      },
      ...offerIds.map((offer_id, index): FlowNode => ({
        key: after[index],
        type: 'offer',
        config: { offer_id },
        next: after[index + 1],
      })),
      { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
    ],
  };
}

/** What a new advanced flow begins with: those to whom it is too expensive are shown an offer, the others the next one. */
export function example(productName: string, [first, second]: string[]): FlowDefinition {
  const offers = [first, second].filter((id) => id !== undefined);
  const { entry, nodes } = composed(productName, offers);
  const other = second === undefined ? 'confirm' : 'offer_2';
  return {
    entry,
    nodes: nodes.map((node): FlowNode => {
      if (node.key === 'offer_1') return { ...node, next: 'confirm' } as FlowNode;
      if (node.type !== 'survey') return node;
      const [tooExpensive, ...others] = node.config.options;
      const options = first === undefined ? node.config.options : [{ ...tooExpensive, next: 'offer_1' }, ...others];
      return { ...node, config: { ...node.config, options }, next: other };
    }),
  };
}
