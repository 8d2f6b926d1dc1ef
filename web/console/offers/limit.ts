import type { Offer } from '@retention-flow/client';

/** How often a customer may accept an offer, as it is typed. Both are empty without a limit. */
export interface LimitDraft {
  accepted: string;
  within_days: string;
}

export function limitDraftOf(limit: Offer['limit']): LimitDraft {
  const { accepted = '', within_days = '' } = limit ?? {};
  return { accepted: String(accepted), within_days: String(within_days) };
}

export function limitOf({ accepted, within_days }: LimitDraft): Offer['limit'] {
  if (accepted === '' && within_days === '') return null;
  return { accepted: Number(accepted), within_days: Number(within_days) };
}
