import { etagOf, type Offer, type OfferDraft } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { contradictionsOf } from '../../../src/offers/terms/contradictions';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { toast } from '../ui/toast';
import { unknownIn } from './catalog';
import { DifferencesFrom } from '../versions/differences-from';
import { NewerVersion } from '../versions/newer-version';
import { NoteField } from '../versions/note-field';
import { differencesOf, placeOf } from './offer-differences';
import { UsedBy } from './used-by';
import { useCatalog } from './use-catalog';

interface PublishOfferDialogProps {
  offer: Offer;
  draft: OfferDraft;
  onPublished: () => Promise<void>;
  onClose: () => void;
}

/** Shows what will be different for customers and where, and makes it live. */
export function PublishOfferDialog({ offer, draft, onPublished, onClose }: PublishOfferDialogProps) {
  const { client } = useSession();
  const [note, setNote] = useState('');
  const { price, coupon } = draft.terms ?? {};
  const unknown = unknownIn(draft.terms, useCatalog(price !== undefined || coupon !== undefined));
  const publish = async () => {
    const body = note.trim() ? { note: note.trim() } : {};
    const { version } = await client.offers.publishDraft(offer.id, body, { ifMatch: etagOf(draft) });
    await onPublished();
    toast(`Version ${version} is live.`);
  };
  return (
    <Confirm title="Publish this offer?" verb="Publish now" isWide onConfirm={publish} onClose={onClose}>
      <p>Customers who come to it from now on see it. Those who have seen it get what they were shown.</p>
      <NewerVersion draft={draft} />
      <DifferencesFrom differences={differencesOf(offer, draft)} version={offer.current_version} after="Draft" />
      <Contradictions draft={draft} />
      {unknown && <p class="notice warning">{unknown} A person would have to give customers what they accept.</p>}
      <UsedBy offerId={offer.id} meaning="where it changes at once. A test with this offer goes on, and counts both." />
      <NoteField value={note} onInput={setNote} />
    </Confirm>
  );
}

/** Words that promise another number than billing gives. */
function Contradictions({ draft }: { draft: OfferDraft }) {
  const found = contradictionsOf(draft);
  if (found.length === 0) return null;
  return (
    <div class="notice warning">
      <p>Words and terms disagree:</p>
      <ul>
        {found.map(({ pointer, message }) => (
          <li key={pointer + message}>
            {placeOf(pointer)} {message}.
          </li>
        ))}
      </ul>
    </div>
  );
}
