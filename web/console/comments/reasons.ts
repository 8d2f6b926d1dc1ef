import type { FlowStats } from '@retention-flow/client';

/** Why customers leave: an answer, whatever survey and flow it was given in. */
export interface Reason {
  option: string;
  /** As most sessions that gave it have it. */
  label: string;
  sessions: number;
}

/** The reasons of flows, the most frequent first. */
export function reasonsOf(flows: Pick<FlowStats, 'reasons'>[]): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const { option, label, sessions } of flows.flatMap((flow) => flow.reasons).toSorted(most)) {
    const known = reasons.get(option);
    if (known) known.sessions += sessions;
    else reasons.set(option, { option, label, sessions });
  }
  return [...reasons.values()].toSorted(most);
}

const most = (one: { sessions: number }, other: { sessions: number }) => other.sessions - one.sessions;
