import type { SessionListItem } from '@retention-flow/client';

/** What a session without a customer id is called. It never had one, or the customer was erased. */
export const ANONYMOUS = 'No customer id';

const STATUSES: SessionListItem['status'][] = ['in_progress', 'saved', 'canceled', 'contacted', 'abandoned'];

/** For a select. */
export const STATUS_OPTIONS: [value: string, label: string][] = [
  ['', 'Any status'],
  ...STATUSES.map((status): [string, string] => [status, status.replaceAll('_', ' ')]),
];

/** What saved a session: the name of the offer, or that the customer stayed without one. */
export function savedBy({ reason, accepted_offer: offer }: SessionListItem): string | undefined {
  if (reason === 'offer_accepted') return offer?.name;
  return reason === 'kept' ? 'Kept without an offer' : undefined;
}

export function ended({ status }: SessionListItem): boolean {
  return status === 'saved' || status === 'canceled' || status === 'contacted';
}
