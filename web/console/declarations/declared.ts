import type { Declaration } from '@retention-flow/client';

/** What is due of a declaration, and by when. */
export function dueIn({ kind, when, due_at }: Declaration): string {
  const day = due_at?.slice(0, 10);
  if (kind === 'withdrawal') return `Pay back by ${day}`;
  return `End ${day ? `on ${day}` : (when ?? 'as soon as possible')}`;
}

/** What was declared: "Extraordinary termination". */
export function declarationIn({ kind, termination }: Declaration): string {
  if (kind === 'withdrawal') return 'Withdrawal';
  return termination === 'extraordinary' ? 'Extraordinary termination' : 'Termination';
}

/** Whether what was declared should be done by now. Without a day, it is due at once. */
export function isOverdue({ done_at, due_at }: Pick<Declaration, 'done_at' | 'due_at'>, now: number): boolean {
  return done_at === null && (due_at === null || Date.parse(due_at) <= now);
}
