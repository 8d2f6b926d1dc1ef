import { isDiscount } from '../offers/terms/types';
import type { AcceptedOffer } from '../offers/shown-offer';
import type { BillingConnection } from './billing-connection.entity';

/**
 * Who carries out what a customer decided. It is settled when they decide, by what is known then, and stays: they were
 * told so.
 *
 * - `service`: this service, as far as is known. The subscription may not have been read in time
 * - `person`: somebody of the team, who is told, unless the service can do it after all
 * - `nobody`: nothing is to be done: there is no connection to a billing system, or a dry run
 */
export const CARRIERS = ['service', 'person', 'nobody'] as const;
export type Carrier = (typeof CARRIERS)[number];

/** The connection of a workspace, as a decision sees it. */
export interface KnownConnection extends Pick<BillingConnection, 'mode' | 'missing_permissions'> {
  is_refused: boolean;
}

/** What is known of a decision. */
export interface Known {
  connection: KnownConnection | null;
  /** The subscription that a token named. */
  subscription_id: string | null;
  /** The offer that was accepted. */
  offer: Pick<AcceptedOffer, 'offer_type' | 'terms'> | null;
  /** Whether the service can apply the offer, as the billing system said; undefined if it didn't. */
  isPossible?: boolean;
}

export function carrierOf({ connection, subscription_id, offer, isPossible }: Known): Carrier {
  if (connection?.mode !== 'live') return 'nobody';
  if (subscription_id === null || connection.is_refused) return 'person';
  if (!offer) return 'service';
  return (isPossible ?? isCarriedOut(offer, connection)) ? 'service' : 'person';
}

/** Whether the service does what an offer promises, with the permissions that its key has. */
function isCarriedOut(
  { offer_type, terms }: Pick<AcceptedOffer, 'offer_type' | 'terms'>,
  { missing_permissions: missing }: Pick<KnownConnection, 'missing_permissions'>,
): boolean {
  if (offer_type === 'custom' || !terms) return false;
  const needed = isDiscount(offer_type) ? 'customers_read' : 'prices_read';
  return !missing.includes(needed) || (terms.price === undefined && !isDiscount(offer_type));
}
