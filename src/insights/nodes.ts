import { groupBy } from '../common/group-by';
import type { FlowDefinition, FlowNode } from '../flows/flow-definition';
import type { StepAction } from '../runtime/step/next-step';
import type { NodeCount } from './sums/counts';

/** `way`: no action, but the way through a branch or a split. */
export type ExitAction = StepAction | 'way';

/** The sessions that went on from a node in the same way. */
export interface ExitNumbers {
  action: ExitAction;
  /** The option of an answer, or the way through a branch or a split; null for other actions. */
  value: string | null;
  sessions: number;
}

/** What became of the sessions that came to a node: `sessions` are those in progress, those abandoned, and all exits. */
export interface NodeNumbers {
  node_key: string;
  type: FlowNode['type'];
  sessions: number;
  in_progress: number;
  abandoned: number;
  exits: ExitNumbers[];
}

/** The numbers of all nodes, in the order of the definition. */
export function nodesOf({ nodes }: FlowDefinition, counts: NodeCount[]): NodeNumbers[] {
  const countsOf = groupBy(counts, ({ node_key }) => node_key);
  return nodes.map(({ key, type }) => {
    const own = countsOf.get(key) ?? [];
    const exits = own.filter(({ kind }) => kind !== 'reached').map(exitOf);
    const left = exits.reduce((sum, exit) => sum + exit.sessions, 0);
    // Nobody stands at a branch or a split: those who came are those who went on.
    const { sessions, in_progress } = own.find(({ kind }) => kind === 'reached') ?? { sessions: left, in_progress: 0 };
    return {
      node_key: key,
      type,
      sessions,
      in_progress,
      abandoned: sessions - in_progress - left,
      exits: exits.toSorted(byFrequency),
    };
  });
}

function exitOf({ kind, value, sessions }: NodeCount): ExitNumbers {
  if (kind === 'step') return { action: value as StepAction, value: null, sessions };
  return { action: kind === 'way' ? 'way' : 'answer', value, sessions };
}

function byFrequency(a: ExitNumbers, b: ExitNumbers): number {
  const nameOf = ({ action, value }: ExitNumbers) => `${action} ${value}`;
  return b.sessions - a.sessions || (nameOf(a) < nameOf(b) ? -1 : 1);
}
