import type { ShownOffer } from '../../offers/shown-offer';
import type { OfferLimit } from '../../workspaces/offer-limit';
import type { FlowSession } from '../../sessions/flow-session.entity';

/** A customer who accepts an offer, with the subscription that a token names; null without one. */
export type Acceptor = Pick<FlowSession, 'workspace_id' | 'customer_id' | 'customer_verified' | 'subscription_id'>;

/** Somebody to whom a step may show an offer with a limit, or who accepts it. */
export interface LimitedOffer extends Acceptor {
  /** Null: any offer, by the limit of the workspace. */
  offer_id: string | null;
  within_days: number;
  accepts: boolean;
}

/** How often the customer accepted an offer, or any, in the last days, or somebody else with the same subscription. */
export interface AcceptanceCount extends Omit<LimitedOffer, 'accepts'> {
  accepted: number;
}

/** How often offers with a limit were accepted: what was read, and what the steps of a batch add. */
export class Acceptances {
  private readonly counts: Map<string, number>;
  private readonly added: (Acceptor & { offer_id: string })[] = [];

  constructor(counts: AcceptanceCount[]) {
    this.counts = new Map(
      counts.map((count) => [keyOf(count, count.offer_id, count.within_days), count.accepted] as const),
    );
  }

  /** Whether the offer, or with null any, was accepted as often as a limit allows. */
  isUsedUp(acceptor: Acceptor, offerId: string | null, limit: OfferLimit | null): boolean {
    if (limit === null || acceptor.customer_id === null) return false;
    const accepted = this.counts.get(keyOf(acceptor, offerId, limit.within_days))!;
    const added = this.added.filter(
      (one) => (offerId === null || one.offer_id === offerId) && countsFor(one, acceptor),
    ).length;
    return accepted + added >= limit.accepted;
  }

  /** Counts an acceptance, if the customer is known. */
  add({ workspace_id, customer_id, customer_verified, subscription_id }: Acceptor, { id: offer_id }: ShownOffer): void {
    if (customer_id !== null)
      this.added.push({ workspace_id, customer_id, customer_verified, subscription_id, offer_id });
  }
}

function keyOf(
  { workspace_id, customer_id, customer_verified, subscription_id }: Acceptor,
  offerId: string | null,
  days: number,
): string {
  return JSON.stringify([workspace_id, customer_id, customer_verified, subscription_id, offerId, days]);
}

/** Whether one acceptance counts for somebody else: see `acceptedBy` in `step-statements.ts`. */
function countsFor(one: Acceptor, other: Acceptor): boolean {
  const isSameCustomer = one.customer_id === other.customer_id && (one.customer_verified || !other.customer_verified);
  const isSameSubscription = one.subscription_id !== null && one.subscription_id === other.subscription_id;
  return one.workspace_id === other.workspace_id && (isSameCustomer || isSameSubscription);
}
