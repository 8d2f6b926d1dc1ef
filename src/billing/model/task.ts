import type { Feedback } from '../../flows/graph/graph-limits';
import type { AcceptedOffer, ShownOffer } from '../../offers/shown-offer';
import { type AgreedTerms, choicesOf, type OfferTerms, type OfferType } from '../../offers/terms/types';
import type { Fulfilment, FulfilmentAction } from '../../billing-jobs/fulfilment.entity';
import type { Effect } from '../../sessions/effect';
import type { Billed } from './billed';
import type { Permission, Proration, UnpaidOnCancel } from '../../billing-jobs/billing-connection.entity';

/** The part of an offer that billing works with. */
export interface PlannedOffer {
  offer_type: Exclude<OfferType, 'custom'>;
  terms: OfferTerms;
}

/** One with terms in which nothing is left to choose. */
export interface AgreedOffer extends PlannedOffer {
  terms: AgreedTerms;
}

/** An offer with each set of terms to agree to: see `choicesOf`. */
export function agreedOffers<Offer extends PlannedOffer>(offer: Offer): (Offer & AgreedOffer)[] {
  return choicesOf(offer.terms).map((terms) => ({ ...offer, terms }));
}

/** With the name that the team knows it by. */
export type NamedOffer = PlannedOffer & Pick<ShownOffer, 'name'>;

/** A job that a provider carries out for a session. */
export interface Task {
  /** The id of the session's record. It marks the subscription, so that the job is done once. */
  id: string;
  action: FulfilmentAction;
  mode: Fulfilment['mode'];
  now: Date;
  subscription_id: string;
  customer: Customer;
  /** The offer that was accepted. */
  offer: (AcceptedOffer & AgreedOffer) | null;
  proration: Proration;
  unpaid_on_cancel: UnpaidOnCancel;
  /** What the key may not do. */
  missing_permissions: Permission[];
  /** What an earlier attempt set out to do; null if none did. */
  effect: Effect | null;
  /** Why a customer cancels. */
  feedback?: Feedback;
  comment?: string;
}

/** The customer to whom the subscription has to belong. */
export interface Customer {
  /** The workspace's own id; null once the customer is erased. */
  id: string | null;
  /** The provider's. */
  billing_id: string | null;
}

/** Whether a subscription is the customer's, as the token says, or else the subscription. */
export function isOf({ id, billing_id }: Customer, { owner }: Pick<Billed, 'owner'>): boolean {
  return billing_id === null ? id !== null && owner.id === id : owner.billing_id === billing_id;
}

/** How an attempt ended. `detail` is for a person. */
export type Ending =
  /**
   * `effect`: of the change that was made, or would be. `manual` with one: it was made, and something else came of it.
   * `missing`: what the key would have to be allowed.
   */
  | {
      state: 'applied' | 'dry_run' | 'manual' | 'failed';
      detail: string | null;
      effect?: Effect;
      missing?: Permission;
    }
  /** There is nothing to do. */
  | { state: 'none' }
  /**
   * It is tried again. `isAnswered`: the provider said that it failed, and says so again under the same key.
   * `isRefused`: the key may not do it, so it waits for another one.
   */
  | { state: 'pending'; detail: string; isAnswered?: boolean; isRefused?: boolean; retryAfter?: number };
