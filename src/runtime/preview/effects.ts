import type { Offer } from '../../offers/offer.entity';
import type { Fact, Facts } from '../../conditions/facts';
import type { Eligibilities } from '../../sessions/eligibility';
import { type NotOffered, whyNotOffered } from '../../offers/offered';
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

const NOT_OFFERED: Record<NotOffered, string> = {
  not_now: 'Customers don’t see this offer now: it has not begun, or is over.',
  conditions: 'Customers like this one don’t see this offer: its conditions don’t hold.',
};

/** What is foreseen, without what the offers themselves keep from the customer. */
export function effectsIn(
  { effects }: Foreseen,
  offers: Offer[],
  known: Parameters<typeof whyNotOffered>[1],
  now: Date,
): ForeseenEffect[] {
  return effects.map((effect) => {
    const offer = offers.find(({ id }) => id === effect.offer_id);
    const why = offer && whyNotOffered(offer, known, now);
    return why ? { ...effect, is_shown: false, text: NOT_OFFERED[why] } : effect;
  });
}

/** Foresees what decisions would do. The module of billing implements it. */
export abstract class Foresight {
  /**
   * What offers would do to a subscription: one that the billing system of the workspace knows by its `id`, or one that
   * is made up of its amount, currency and interval. Throws the Problem that prevents it.
   *
   * @param facts what the branches of the flow and its offers ask of it
   */
  abstract foresee(workspaceId: string, subscription: Subscription, offers: Offer[], facts: Fact[]): Promise<Foreseen>;
}
