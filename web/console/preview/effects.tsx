import type { BillingConnection, Offer, RetentionFlow } from '@retention-flow/client';

export type Effects = NonNullable<Awaited<ReturnType<RetentionFlow['flows']['preview']>>['effects']>;

interface EffectListProps {
  effects: Effects;
  /** Those of the flow. */
  offers: Offer[];
  connection: BillingConnection;
}

/** What would happen to the subscription, for each offer and for leaving. */
export function EffectList({ effects, offers, connection }: EffectListProps) {
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
      {connection.mode === 'dry_run' && (
        <p class="hint">Your connection to Stripe is a dry run, so nothing of this is carried out yet.</p>
      )}
    </section>
  );
}
