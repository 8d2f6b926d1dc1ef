import type { Offer } from '../../offers/offer.entity';
import type { Fact, Facts } from '../../conditions/facts';
import type { Eligibilities } from '../../sessions/eligibility';
import type { Subscription } from '../start/subscription';

/** What a decision would do to the subscription of a preview. */
export interface ForeseenEffect {
  /** `apply`: the customer accepts the offer. `cancel`: they leave. */
  action: 'apply' | 'cancel';
  /** The offer; null if they leave. */
  offer_id: string | null;
  /** Whether they would see the offer; true if they leave. */
  is_shown: boolean;
  /** One or two English sentences. */
  text: string;
}

/** What a billing system foresees. */
export interface Foreseen {
  eligibility: Eligibilities;
  facts: Facts;
  effects: ForeseenEffect[];
}

/** Foresees what decisions would do. The module of billing implements it. */
export abstract class Foresight {
  /**
   * What offers would do to a subscription: one that the billing system of the workspace knows by its `id`, or one that
   * is made up of its amount, currency and interval. Throws the Problem that prevents it.
   *
   * @param facts what the branches of the flow ask of it
   */
  abstract foresee(workspaceId: string, subscription: Subscription, offers: Offer[], facts: Fact[]): Promise<Foreseen>;
}
