import type { ShownOffer } from '../../offers/offer-content';
import type { FlowSession } from '../flow-session.entity';

/** A customer to whom a step may show an offer with a limit, or who accepts it. */
export interface LimitedOffer {
  workspace_id: string;
  customer_id: string;
  offer_id: string;
  within_days: number;
  accepts: boolean;
}

/** How often a customer accepted an offer in the last days. */
export interface AcceptanceCount extends Omit<LimitedOffer, 'accepts'> {
  accepted: number;
}

type Customer = Pick<FlowSession, 'workspace_id' | 'customer_id'>;

/** How often customers accepted offers with a limit: what was read, and what the steps of a batch add. */
export class Acceptances {
  private readonly counts = new Map<string, number>();
  private readonly added = new Map<string, number>();

  constructor(counts: AcceptanceCount[]) {
    for (const { workspace_id, customer_id, offer_id, within_days, accepted } of counts) {
      this.counts.set(keyOf(workspace_id, customer_id, offer_id, within_days), accepted);
    }
  }

  /** Whether the customer has accepted the offer as often as its limit allows. */
  isWithheld({ workspace_id, customer_id }: Customer, { id, limit }: ShownOffer): boolean {
    if (limit === null || customer_id === null) return false;
    const accepted = this.counts.get(keyOf(workspace_id, customer_id, id, limit.within_days))!;
    return accepted + (this.added.get(keyOf(workspace_id, customer_id, id)) ?? 0) >= limit.accepted;
  }

  /** Counts an acceptance, if the customer is known. */
  add({ workspace_id, customer_id }: Customer, { id }: ShownOffer): void {
    if (customer_id === null) return;
    const key = keyOf(workspace_id, customer_id, id);
    this.added.set(key, (this.added.get(key) ?? 0) + 1);
  }
}

function keyOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}
