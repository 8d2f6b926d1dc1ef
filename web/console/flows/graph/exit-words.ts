import type { FlowNode } from '@retention-flow/client';
import { conditionWords } from './condition-words';
import type { ExitNumbers } from './graph-numbers';

const ACTIONS: Record<string, string> = {
  continue: 'Went on',
  answer: 'Answered',
  accept: 'Accepted',
  decline: 'Declined',
  refused: 'Accepted (refused by its limit)',
  confirm: 'Confirmed (canceled)',
  keep: 'Kept the subscription (saved)',
  cancel: 'Canceled at once',
};

/** A way out of a node, in words. */
export function exitWords(node: FlowNode, { action, value }: Pick<ExitNumbers, 'action' | 'value'>): string {
  if (action === 'answer' && node.type === 'survey') {
    return node.config.options.find((option) => option.value === value)?.label ?? value ?? ACTIONS.answer;
  }
  if (action === 'answer' && node.type === 'custom') return 'Went on';
  if (action === 'way' && node.type === 'branch') {
    return value === 'next' ? 'Otherwise' : conditionWords(node.config.ways[Number(value)]?.when);
  }
  return ACTIONS[action] ?? value ?? action;
}
