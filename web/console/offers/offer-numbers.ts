import type { WorkspaceStats } from '@retention-flow/client';

/** In how many sessions an offer was shown, and accepted. */
export interface OfferNumbers {
  presented: number;
  accepted: number;
}

/** The numbers of each offer over all flows, by its id. */
export function numbersByOffer(flows: WorkspaceStats['flows']): Map<string, OfferNumbers> {
  const numbers = new Map<string, OfferNumbers>();
  for (const { id, presented, accepted } of flows.flatMap(({ offers }) => offers)) {
    const before = numbers.get(id) ?? { presented: 0, accepted: 0 };
    numbers.set(id, { presented: before.presented + presented, accepted: before.accepted + accepted });
  }
  return numbers;
}
