import type { BillingConnection, Offer, RetentionFlow } from '@retention-flow/client';
import { caveatOf } from './subscription';

export type Effects = NonNullable<Awaited<ReturnType<RetentionFlow['flows']['preview']>>['effects']>;

interface EffectListProps {
  effects: Effects;
  /** Those of the flow. */
  offers: Offer[];
  connection: BillingConnection;
}

/** What would happen to the subscription, for each offer and for leaving. */
export function EffectList({ effects, offers, connection }: EffectListProps) {
  const caveat = caveatOf(connection);
  const nameOf = (id: string | null) =>
    id === null ? 'If the customer leaves' : (offers.find((offer) => offer.id === id)?.name ?? 'An offer');
  return (
    <section class="effects" aria-label="What would happen">
      <h3>What would happen to this subscription</h3>
      <dl>
        {effects.map(({ offer_id, is_shown, text }) => (
          <div key={offer_id} class={is_shown ? '' : 'soft'}>
            <dt>{nameOf(offer_id)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {caveat && <p class="hint">{caveat}</p>}
    </section>
  );
}
