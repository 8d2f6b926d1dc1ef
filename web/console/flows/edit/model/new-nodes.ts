import type { FlowDefinition, FlowNode } from '@retention-flow/client';
import { firstCondition, NONE_SEEN, type Seen } from './condition-values';
import { withAt } from '../../../../../src/platform/common/with-at';
import { withTargets } from './exits';

/** What can be added to a graph. A flow has a first page at its beginning only. */
export type NewType = 'survey' | 'offer' | 'custom' | 'confirm' | 'branch' | 'split';

export const NEW_TYPES: [type: NewType, name: string, about: string][] = [
  ['survey', 'Survey', 'Asks a question with answers to choose from.'],
  ['offer', 'Offer', 'Gives customers a reason to stay.'],
  ['branch', 'Branch', 'Sends customers on by what is known of them, such as their plan.'],
  ['split', 'Split', 'Compares ways at random, as an experiment.'],
  ['custom', 'Your own page', 'Shows a component of your site, and keeps what it gives.'],
  ['confirm', 'Last page', 'Ends the flow: customers cancel, or stay.'],
];

const KEYS: Record<NewType, string> = {
  survey: 'question',
  offer: 'offer',
  custom: 'page',
  confirm: 'last_page',
  branch: 'branch',
  split: 'experiment',
};

/** A key that no node has: the wish itself, or with a number behind. */
export function freeKey({ nodes }: FlowDefinition, wish: string): string {
  const base = wish.slice(0, 60);
  const keys = new Set(nodes.map(({ key }) => key));
  let key = base;
  for (let number = 2; keys.has(key); number++) key = `${base}_${number}`;
  return key;
}

/**
 * A node to begin with, which leads to `next`.
 *
 * @param offerId the offer that a new offer presents
 * @param seen what a new branch asks for
 */
export function newNode(
  graph: FlowDefinition,
  type: NewType,
  next: string,
  offerId: string,
  seen: Seen = NONE_SEEN,
): FlowNode {
  const key = freeKey(graph, KEYS[type]);
  switch (type) {
    case 'survey': {
      const options = [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ];
      return { key, type, config: { title: 'Is there anything that would make you stay?', options }, next };
    }
    case 'offer':
      return { key, type, config: { offer_id: offerId }, next };
    case 'custom':
      return { key, type, config: { title: 'Would you recommend us?', kind: 'nps' }, next };
    case 'confirm':
      return { key, type, config: { title: 'Cancel your subscription?' } };
    case 'branch': {
      const when = { all: [firstCondition(seen)] };
      return { key, type, config: { ways: [{ when, next }] }, next };
    }
    default: {
      const ways = ['a', 'b'].map((name) => ({ name, weight: 50, next }));
      return { key, type, config: { ways } };
    }
  }
}

/** A copy of a node under a key of its own, which leads to `next` alone. A first page is copied as a last one. */
export function copyOf(graph: FlowDefinition, node: FlowNode, next: string): FlowNode {
  const key = freeKey(graph, node.key);
  if (node.type === 'start') return { key, type: 'confirm', config: node.config };
  const isAnswer = (target: string | undefined) => (target === undefined ? undefined : next);
  const copy = { ...withTargets(node, isAnswer), key };
  // With the salt of the first, both would give a customer the same arm.
  if (copy.type === 'split') return withAt(copy, ['config', 'salt'], undefined);
  if (copy.type !== 'survey') return copy;
  const options = copy.config.options.map((option) => withAt(option, ['next'], undefined));
  return { ...copy, config: { ...copy.config, options } };
}

/** A name for what customers answer, or for an arm: its label in small letters, and a number if another has it. */
export function freeName(label: string, taken: string[]): string {
  const base =
    label
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 60) || 'other';
  let name = base;
  for (let number = 2; taken.includes(name); number++) name = `${base}_${number}`;
  return name;
}
