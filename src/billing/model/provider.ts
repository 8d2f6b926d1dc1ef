import type { IncomingHttpHeaders } from 'node:http';
import type { BillingConnection, Permission } from '../../billing-jobs/billing-connection.entity';
import type { FieldError } from '../../platform/api/problems/problem';
import type { OfferTerms } from '../../offers/terms/types';
import type { OutcomeType } from '../outcomes/outcome.entity';
import type { Billed, Named } from './billed';
import type { Change } from './changes';
import type { Customer } from './task';

/** A payment, cancellation or pause that the provider reports. */
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

/** A verified request to the provider's webhook. */
export interface Notice {
  /** Null if it is about none. */
  subscription_id: string | null;
  /** The version of the interface, if it is not the one that this service speaks. */
  version: string | null;
}

/** Why a billing system did not do what it was asked. Nothing else is thrown because of what it answers. */
export class BillingFailure extends Error {
  /**
   * @param kind `refused`: the key. `forbidden`: the key may not do this. `unknown`: there is no such thing.
   *   `rejected`: it will not do this. `passing`: it can't say now
   * @param message in the words of the billing system
   * @param isAnswered the billing system said that it failed, and says so again under the same key
   * @param retryAfter in seconds
   * @param missing what the key would have to be allowed, if that is known
   */
  constructor(
    readonly kind: 'refused' | 'forbidden' | 'unknown' | 'rejected' | 'passing',
    message: string,
    readonly isAnswered = false,
    readonly retryAfter?: number,
    readonly missing?: Permission,
  ) {
    super(message);
  }
}

/** The answer of a billing system, or the kind of its failure, if it is one that is expected. */
export async function orFailure<T, Kind extends BillingFailure['kind']>(
  answer: Promise<T>,
  expected: Kind,
): Promise<T | Kind> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BillingFailure && error.kind === expected) return expected;
    throw error;
  }
}

/** A change as the billing system is asked for it. */
export interface Prepared {
  /** What is sent. It is stored before. */
  request: object;
  /** The same, as a person reads it who knows the interface of the billing system. */
  text: string;
  /** @param key under which it is carried out once */
  send(key: string): Promise<void>;
}

/**
 * A billing system, with the key of a workspace. Each is one folder. A method throws a `BillingFailure` unless it says
 * otherwise.
 */
export interface Provider {
  /** The name of the billing system, for sentences. */
  readonly title: string;
  /** Why the key can't be used, or which permissions it lacks. Throws nothing. */
  check(): Promise<{ refusal: string } | { missing: Permission[] }>;
  /** A subscription as it is now, without what it inherits from its customer. */
  read(subscriptionId: string): Promise<Billed>;
  /** The same with what its customer has: the country, and the discount, if that counts for it. */
  withCustomer(billed: Billed): Promise<Billed>;
  /** The name of a product. */
  nameOf(product: string): Promise<string>;
  /** What the terms of an offer name. */
  named(terms: Pick<OfferTerms, 'price' | 'coupon'>): Promise<Named>;
  /**
   * How a change is made. It takes back an end of ours, unless it is an end.
   *
   * @param sessionId marks the subscription: it says that the change is made, for longer than keys are kept
   */
  prepare(change: Change, billed: Billed, sessionId: string): Prepared;
  /** Arranges a price that was agreed for the next period. Returns the subscription after that. */
  finish(billed: Billed): Promise<Billed>;
  /**
   * The next payment of a subscription as it is now, in the smallest unit of its currency, without taxes that come on
   * top, and without what is not of its period; null if the billing system doesn't say.
   */
  nextPayment(billed: Billed): Promise<number | null>;
  /** The newest subscriptions that have not ended. */
  subscriptions(): Promise<{ subscriptions: ListedSubscription[]; has_more: boolean }>;
  /** The prices and coupons to choose from. */
  catalog(): Promise<Catalog>;
  /**
   * All payments, cancellations and pauses of a subscription since a time. `unknown`: the provider does not know it, or
   * it is another customer's.
   */
  outcomes(subscriptionId: string, customer: Customer, since: Date): Promise<ReportedOutcome[] | 'unknown'>;
}

/** What a connection takes in the provider's own form. */
export interface GivenFields {
  api_key?: string;
  account?: string | null;
  webhook_secret?: string | null;
}

/** The part of a provider that needs no key. */
export interface ProviderKind {
  new (account: Account): Provider;
  /** Reads a request to our webhook. Throws if the signature is wrong. */
  noticeIn(body: Buffer, headers: IncomingHttpHeaders, secret: string): Notice;
  /** What is wrong with the form of what a connection is given. */
  faultsOfFields(fields: GivenFields): FieldError[];
  /** Whether a key is for real money. */
  isLive(apiKey: string): boolean;
  /** The subscription in the provider's dashboard. */
  urlOf(subscriptionId: string, connection: Pick<BillingConnection, 'account' | 'is_live'>): string;
}

export interface Account {
  apiKey: string;
  /** The account of a platform; null: that of the key. */
  account: string | null;
  /** Where the provider's interface is. */
  url: string;
}
