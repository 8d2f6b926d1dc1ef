import type { WorkspaceStats } from '@retention-flow/client';

type FlowNumbers = WorkspaceStats['flows'][number];

export interface ReasonSum {
  label: string;
  sessions: number;
  saved: number;
}

export interface OfferSum {
  id: string;
  name: string;
  presented: number;
  accepted: number;
}

/** The reasons of all flows, the most frequent first. Those that read the same are one. */
export function reasonsOf(flows: FlowNumbers[]): ReasonSum[] {
  const sums = new Map<string, ReasonSum>();
  for (const { label, sessions, saved } of flows.flatMap(({ reasons }) => reasons)) {
    const before = sums.get(label);
    sums.set(label, {
      label,
      sessions: (before?.sessions ?? 0) + sessions,
      saved: (before?.saved ?? 0) + saved,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.sessions - a.sessions);
}

/** The offers of all flows, the most presented first. */
export function offersOf(flows: FlowNumbers[]): OfferSum[] {
  const sums = new Map<string, OfferSum>();
  for (const { id, name, presented, accepted } of flows.flatMap(({ offers }) => offers)) {
    const before = sums.get(id);
    sums.set(id, {
      id,
      name: before?.name ?? name,
      presented: (before?.presented ?? 0) + presented,
      accepted: (before?.accepted ?? 0) + accepted,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.presented - a.presented);
}
