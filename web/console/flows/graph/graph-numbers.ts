import type { FlowNodeStats } from '@retention-flow/client';

export type NodeNumbers = FlowNodeStats['nodes'][number];
export type ExitNumbers = NodeNumbers['exits'][number];

/** How sessions end at a node. */
export type Ending = 'accepted' | 'saved' | 'canceled';

const ENDINGS: Record<string, Ending> = { accept: 'accepted', keep: 'saved', confirm: 'canceled', cancel: 'canceled' };

/** The ending that an action leads to; undefined for one that leads on. */
export function endingOf(action: string): Ending | undefined {
  return ENDINGS[action];
}

const ENDS_BY_ITSELF: Record<string, Ending[]> = { offer: ['accepted'], confirm: ['saved', 'canceled'] };

/** The endings to draw at a node: those of its type, and others that sessions came to. */
export function endingsAt(type: string, numbers: NodeNumbers | undefined): { ending: Ending; sessions: number }[] {
  const sums = { accepted: 0, saved: 0, canceled: 0 };
  for (const { action, sessions } of numbers?.exits ?? []) {
    const ending = endingOf(action);
    if (ending) sums[ending] += sessions;
  }
  return (['accepted', 'saved', 'canceled'] as const)
    .filter((ending) => sums[ending] > 0 || ENDS_BY_ITSELF[type]?.includes(ending))
    .map((ending) => ({ ending, sessions: sums[ending] }));
}

/** How many sessions left a node by the exits that are chosen. */
export function sessionsBy(numbers: NodeNumbers | undefined, isChosen: (exit: ExitNumbers) => boolean): number {
  return (numbers?.exits ?? []).filter(isChosen).reduce((sum, { sessions }) => sum + sessions, 0);
}
