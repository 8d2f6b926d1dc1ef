import type { Offer, OfferDraft } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { Time } from '../ui/time';
import { DifferencesFrom } from '../versions/differences-from';
import { differencesOf, placeOf } from './offer-differences';

interface OfferDraftCardProps {
  offer: Offer;
  draft: OfferDraft;
  onDelete: () => void;
}

/** What is being edited beside what is live: how it differs, and why it can't be published yet. */
export function OfferDraftCard({ offer, draft, onDelete }: OfferDraftCardProps) {
  const { mayWrite } = useSession();
  const differences = differencesOf(offer, draft);
  return (
    <section class="card" aria-labelledby="draft">
      <div class="card-head">
        <h2 id="draft">Draft</h2>
        {mayWrite && (
          <button type="button" class="quiet" onClick={onDelete}>
            Delete draft
          </button>
        )}
      </div>
      <p class="soft">
        Saved by {draft.updated_by.name}, <Time value={draft.updated_at} />. Until you publish it, customers see version{' '}
        {offer.current_version}.
      </p>
      <DifferencesFrom differences={differences} version={offer.current_version} after="Draft" />
      {draft.faults.length > 0 && (
        <div class="notice error">
          <p>It cannot be published yet:</p>
          <ul>
            {draft.faults.map(({ pointer, message }) => (
              <li key={pointer}>
                {placeOf(pointer)} {message}.
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
