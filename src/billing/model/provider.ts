import type { IncomingHttpHeaders } from 'node:http';
import type { Feedback } from '../../flows/graph/graph-limits';
import type { AcceptedOffer, ShownOffer } from '../../offers/shown-offer';
import { type AgreedTerms, choicesOf, type OfferTerms, type OfferType } from '../../offers/terms/types';
import type { Fulfilment, FulfilmentAction } from '../../billing-jobs/fulfilment.entity';
import type { Eligibility } from '../../sessions/eligibility';
import type { Subscription } from '../../runtime/start/subscription';
import type { Permission, Proration } from '../../billing-jobs/billing-connection.entity';
import type { OutcomeType } from '../outcomes/outcome.entity';

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

/** How an attempt ended. `detail` is for a person. */
export type Ending =
  /** `missing`: what the key would have to be allowed. */
  | { state: 'applied' | 'dry_run' | 'manual' | 'failed'; detail: string | null; missing?: Permission }
  /** There is nothing to do. */
  | { state: 'none' }
  /**
   * It is tried again. `isAnswered`: the provider said that it failed, and says so again under the same key.
   * `isRefused`: the key may not do it, so it waits for another one.
   */
  | { state: 'pending'; detail: string; isAnswered?: boolean; isRefused?: boolean; retryAfter?: number };

/** A payment or cancellation that the provider reports. */
export interface ReportedOutcome {
  id: string;
  type: OutcomeType;
  at: Date;
  amount?: number;
  currency?: string;
  /** Whether the subscription has not ended yet, so that a later report may be without it. */
  isProvisional?: boolean;
}

/** The id of the outcome that a subscription was canceled. */
export const canceledId = (subscriptionId: string): string => `${subscriptionId}:canceled`;

/** The most prices, coupons or subscriptions that are listed at once. */
export const MAX_LISTED = 100;

/** What offers can name, the newest first. */
export interface Catalog {
  /** null: the key may not read them. */
  prices: CatalogPrice[] | null;
  coupons: CatalogCoupon[];
  /** Whether there are more than were read. */
  has_more_prices: boolean;
  has_more_coupons: boolean;
}

/** A price that a subscription may change to. */
export interface CatalogPrice {
  id: string;
  name: string | null;
  /** In the smallest unit of the currency; null if it is not one fixed amount. */
  amount: number | null;
  currency: string;
  /** Such as `month`. */
  interval: string;
  interval_count: number;
}

/** A discount that is kept at the provider. One of `percent_off` and `amount_off` is null. */
export interface CatalogCoupon {
  id: string;
  name: string | null;
  percent_off: number | null;
  amount_off: number | null;
  /** Of `amount_off`. */
  currency: string | null;
  /** Such as `repeating`. */
  duration: string;
  /** With `repeating`. */
  months: number | null;
}

/** A subscription to try offers on. */
export interface ListedSubscription extends Pick<CatalogPrice, 'currency' | 'interval' | 'interval_count'> {
  id: string;
  /** The customer's name, else their e-mail address; null if neither is known, or the key may not read it. */
  customer: string | null;
  /** The status at the provider, such as `active`. */
  status: string;
  /** In the smallest unit of the currency; null if it is not one fixed amount. */
  amount: number | null;
}

/** What an offer would do to a subscription. */
export interface OfferEffect {
  /** Undefined if the provider can't say. */
  eligibility?: Eligibility;
  /** Whether customers would see it. */
  is_shown: boolean;
  text: string;
}

/** A verified request to the provider's webhook. */
export interface Notice {
  /** Null if it is about none. */
  subscription_id: string | null;
  /** The version of the interface, if it is not the one that this service speaks. */
  version: string | null;
}

/**
 * A billing system, with the key of a workspace. Each is one file. Nothing throws because of what the other side
 * answers.
 */
export interface Provider {
  /** Why the key can't be used, or which permissions it lacks. */
  check(): Promise<{ refusal: string } | { missing: Permission[] }>;
  /**
   * Does a task, or finds that it is done.
   *
   * @param record stores the request before it is sent, and returns the key under which it is carried out once
   */
  fulfil(task: Task, record: (request: object) => Promise<string>): Promise<Ending>;
  /**
   * For each of some offers, whether it could be applied to the subscription, and what the customer would pay;
   * undefined if that can't be said; none if the provider can't say now, or the subscription is another customer's.
   */
  eligibility(
    subscriptionId: string,
    customer: Customer,
    offers: PlannedOffer[],
    now: Date,
  ): Promise<(Eligibility | undefined)[]>;
  /**
   * What each of some offers would do to a subscription, and what leaving would, in sentences. Nothing is changed.
   *
   * @param subscription with an `id`, one that the provider knows, whoever's it is; else one that is made up
   */
  effects(
    subscription: Subscription,
    offers: NamedOffer[],
    proration: Proration,
    now: Date,
  ): Promise<{ offers: OfferEffect[]; leaving: string } | 'unknown' | 'refused' | 'unavailable'>;
  /** The newest subscriptions that have not ended, or why there are none now. */
  subscriptions(): Promise<{ subscriptions: ListedSubscription[]; has_more: boolean } | 'refused' | 'unavailable'>;
  /** The prices and coupons to choose from, or why there are none now. `refused`: the provider refuses the key. */
  catalog(): Promise<Catalog | 'refused' | 'unavailable'>;
  /** Why the price or the coupon of an offer can't be used; undefined if it can, or if the provider can't say now. */
  faultIn(offer: PlannedOffer): Promise<{ field: 'price' | 'coupon'; message: string } | undefined>;
  /**
   * All payments and cancellations of a subscription since a time. `unknown`: the provider does not know it, or it is
   * another customer's. `unavailable`: the provider can't say now.
   */
  outcomes(
    subscriptionId: string,
    customer: Customer,
    since: Date,
  ): Promise<ReportedOutcome[] | 'unknown' | 'unavailable'>;
}

/** The part of a provider that needs no key. */
export interface ProviderKind {
  new (account: Account): Provider;
  /** Reads a request to our webhook. Throws if the signature is wrong. */
  noticeIn(body: Buffer, headers: IncomingHttpHeaders, secret: string): Notice;
  /** The subscription in the provider's dashboard. */
  urlOf(subscriptionId: string, isLive: boolean): string;
}

export interface Account {
  apiKey: string;
  /** Where the provider's interface is. */
  url: string;
}
