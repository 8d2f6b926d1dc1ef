import type { ShownOffer } from '../../offers/offer-content';
import type { FlowSession } from '../flow-session.entity';

/** Whose acceptances count together. A limit holds for a customer, and for the subscription that a token names. */
export type Acceptor = Pick<FlowSession, 'workspace_id' | 'customer_id' | 'subscription_id'>;

/** Somebody to whom a step may show an offer with a limit, or who accepts it. */
export interface LimitedOffer extends Acceptor {
  offer_id: string;
  within_days: number;
  accepts: boolean;
}

/** How often the customer accepted an offer in the last days, or somebody else with the same subscription. */
export interface AcceptanceCount extends Omit<LimitedOffer, 'accepts'> {
  accepted: number;
}

/** How often offers with a limit were accepted: what was read, and what the steps of a batch add. */
export class Acceptances {
  private readonly added: (Acceptor & { offer_id: string })[] = [];

  constructor(private readonly counts: AcceptanceCount[]) {}

  /** Whether the offer was accepted as often as its limit allows. */
  isUsedUp(acceptor: Acceptor, { id, limit }: Pick<ShownOffer, 'id' | 'limit'>): boolean {
    if (limit === null || acceptor.customer_id === null) return false;
    const isOfOffer = ({ offer_id }: { offer_id: string }) => offer_id === id;
    const { accepted } = this.counts.find(
      (count) => isOfOffer(count) && count.within_days === limit.within_days && isSame(count, acceptor),
    )!;
    const added = this.added.filter((one) => isOfOffer(one) && countsFor(one, acceptor)).length;
    return accepted + added >= limit.accepted;
  }

  /** Counts an acceptance, if the customer is known. */
  add({ workspace_id, customer_id, subscription_id }: Acceptor, { id }: ShownOffer): void {
    if (customer_id !== null) this.added.push({ workspace_id, customer_id, subscription_id, offer_id: id });
  }
}

function isSame(one: Acceptor, other: Acceptor): boolean {
  return (
    one.workspace_id === other.workspace_id &&
    one.customer_id === other.customer_id &&
    one.subscription_id === other.subscription_id
  );
}

function countsFor(one: Acceptor, other: Acceptor): boolean {
  const isSameSubscription = one.subscription_id !== null && one.subscription_id === other.subscription_id;
  return one.workspace_id === other.workspace_id && (one.customer_id === other.customer_id || isSameSubscription);
}
