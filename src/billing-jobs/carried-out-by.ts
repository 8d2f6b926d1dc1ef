import { isDiscount, type OfferTerms, type OfferType } from '../offers/terms/types';
import type { AcceptedOffer } from '../offers/shown-offer';
import type { BillingConnection, Permission, Proration } from './billing-connection.entity';

/**
 * Who carries out a decision of a customer. The step that ends the session settles it, and it stays: the customer was
 * told.
 *
 * - `service`: this service, as far as is known. The subscription may not have been read in time
 * - `person`: somebody of the team, who is told, unless the service can do it after all
 * - `nobody`: nothing is to be done: there is no connection to a billing system, or a dry run
 */
export const CARRIERS = ['service', 'person', 'nobody'] as const;
export type Carrier = (typeof CARRIERS)[number];

/** The connection of a workspace, as a decision sees it. */
export interface KnownConnection extends Pick<BillingConnection, 'mode' | 'missing_permissions' | 'proration'> {
  is_refused: boolean;
}

/** What is known of a decision. */
export interface Decision {
  connection: KnownConnection | null;
  /** The subscription that a token named. */
  subscription_id: string | null;
  /** The offer that was accepted. */
  offer: Pick<AcceptedOffer, 'offer_type' | 'terms'> | null;
  /** Whether the service can apply the offer, or cancel, as the billing system said; undefined if it didn't. */
  isPossible?: boolean;
}

export function carrierOf({ connection, subscription_id, offer, isPossible }: Decision): Carrier {
  if (connection?.mode !== 'live') return 'nobody';
  if (!isReachable({ connection, subscription_id })) return 'person';
  if (lackingToWrite(offer, connection)) return 'person';
  if (!offer) return isPossible === false ? 'person' : 'service';
  return (isPossible ?? isCarriedOut(offer, connection)) ? 'service' : 'person';
}

/** Whether the service reaches a customer's subscription, so that it also asks what the customer can get. */
export function isReachable({
  connection,
  subscription_id,
}: Pick<Decision, 'connection' | 'subscription_id'>): boolean {
  return subscription_id !== null && connection?.mode === 'live' && !connection.is_refused;
}

/** Whether the service does what an offer promises, with the permissions that its key has. */
function isCarriedOut(
  { offer_type, terms }: Pick<AcceptedOffer, 'offer_type' | 'terms'>,
  { missing_permissions: missing }: Pick<KnownConnection, 'missing_permissions'>,
): boolean {
  if (offer_type === 'custom' || !terms) return false;
  const needed = permissionFor(offer_type);
  return needed === undefined || !missing.includes(needed);
}

/**
 * What the key may not write that a decision needs; undefined if nothing.
 *
 * @param voids whether open invoices are voided
 */
export function lackingToWrite(
  offer: { offer_type: OfferType; terms: OfferTerms | null } | null,
  { missing_permissions: missing, proration }: Pick<KnownConnection, 'missing_permissions' | 'proration'>,
  voids = false,
): Permission | undefined {
  const makesCoupon = offer && isDiscount(offer.offer_type) && offer.terms?.coupon === undefined;
  const needed = [
    'subscriptions_write' as const,
    ...(makesCoupon ? ['coupons_write' as const] : []),
    ...(voids ? ['invoices_write' as const] : []),
    ...(offer && isLater(offer, proration) ? ['schedules_write' as const] : []),
  ];
  return needed.find((permission) => missing.includes(permission));
}

/** Whether an offer changes the plan at the end of the period. */
export const isLater = ({ offer_type }: { offer_type: OfferType }, proration: Proration): boolean =>
  offer_type === 'plan_change' && proration === 'at_period_end';

/** The permission to read that an offer needs besides those that every key must have. */
export function permissionFor(type: OfferType): Permission | undefined {
  if (isDiscount(type)) return 'customers_read';
  return type === 'plan_change' ? 'prices_read' : undefined;
}
