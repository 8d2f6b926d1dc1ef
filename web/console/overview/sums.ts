import type { WorkspaceStats } from '@retention-flow/client';

type FlowNumbers = WorkspaceStats['flows'][number];

/** The answers to one survey of a flow. */
export interface SurveySum {
  flow: Pick<FlowNumbers, 'flow_id' | 'name'>;
  node_key: string;
  /** Sessions by option, the most frequent first. */
  reasons: FlowNumbers['reasons'];
  sessions: number;
}

export interface OfferSum {
  id: string;
  name: string;
  presented: number;
  /** Whether the customers stay, or are contacted. */
  accepted: number;
  /** Sessions, for whatever reason. */
  withheld: number;
  /** What those are worth whom it saved, by flow; null if sessions of one were deleted. */
  value: FlowNumbers['offers'][number]['value'];
}

/** The surveys that were answered, the most answered first. "Other" in one is not "Other" in the next. */
export function surveysOf(flows: FlowNumbers[]): SurveySum[] {
  return flows
    .flatMap((flow) =>
      [...new Set(flow.reasons.map(({ node_key }) => node_key))].map((node_key) => {
        const reasons = flow.reasons.filter((reason) => reason.node_key === node_key);
        return { flow, node_key, reasons, sessions: reasons.reduce((sum, { sessions }) => sum + sessions, 0) };
      }),
    )
    .toSorted((a, b) => b.sessions - a.sessions);
}

/** The offers of all flows, the most presented first. */
export function offersOf(flows: FlowNumbers[]): OfferSum[] {
  const sums = new Map<string, OfferSum>();
  for (const { id, name, presented, accepted, contacted, withheld, value } of flows.flatMap(({ offers }) => offers)) {
    const before = sums.get(id);
    sums.set(id, {
      id,
      name: before?.name ?? name,
      presented: (before?.presented ?? 0) + presented,
      accepted: (before?.accepted ?? 0) + accepted + contacted,
      withheld: (before?.withheld ?? 0) + withheld.reduce((sum, { sessions }) => sum + sessions, 0),
      value: before?.value === null || value === null ? null : [...(before?.value ?? []), ...value],
    });
  }
  return [...sums.values()].toSorted((a, b) => b.presented - a.presented);
}
