import { etagOf } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import type { PageProps } from '../shell/pages';
import { href, navigate } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { toast } from '../ui/toast';
import { changesOf, createOffer, draftOf, NEW_OFFER, type OfferDraft } from './offer-draft';
import { OfferFacts } from './offer-facts';
import { OfferForm } from './offer-form';
import { UsedBy } from './used-by';

const ABOVE = { href: href('/offers'), name: 'Offers' };

export function NewOfferPage() {
  const { client, mayWrite } = useSession();
  const create = async (draft: OfferDraft) => {
    await client.offers.create(createOffer(draft));
    toast(`"${draft.name}" is created.`);
    navigate('/offers');
  };
  return (
    <Page title="New offer" above={ABOVE}>
      {mayWrite ? (
        <OfferForm draft={NEW_OFFER} isNew verb="Create offer" onSend={create} />
      ) : (
        <p class="notice warning">This key may only read.</p>
      )}
    </Page>
  );
}

export function EditOfferPage({ params: { id } }: PageProps) {
  const { client, mayWrite } = useSession();
  const [isArchiving, setIsArchiving] = useState(false);
  const loading = useLoading((signal) => client.offers.get(id, { signal }), [id]);
  const offer = loading.value;
  const isActive = offer?.status === 'active';
  const archive = async () => {
    await client.offers.archive(id, { ifMatch: etagOf(offer!) });
    toast('The offer is archived.');
    await loading.reload();
  };
  const save = async (draft: OfferDraft, before: OfferDraft) => {
    const changes = changesOf(before, draft);
    if (Object.keys(changes).length === 0) return toast('Nothing has changed.');
    await client.offers.update(id, changes, { ifMatch: etagOf(offer!) });
    await loading.reload();
    toast('The offer is saved.');
  };

  return (
    <Page
      title={offer?.name ?? 'Offer'}
      above={ABOVE}
      beside={offer && <Badge status={offer.status} />}
      actions={
        mayWrite &&
        isActive && (
          <button type="button" class="quiet" onClick={() => setIsArchiving(true)}>
            Archive
          </button>
        )
      }
    >
      <Loaded loading={loading}>
        {(offer) => (
          <>
            {mayWrite && offer.status === 'active' ? (
              <OfferForm draft={draftOf(offer)} verb="Save" onSend={save} />
            ) : (
              <OfferFacts offer={offer} />
            )}
          </>
        )}
      </Loaded>
      {isArchiving && (
        <Confirm
          title="Archive this offer?"
          verb="Archive"
          isDangerous
          onConfirm={archive}
          onClose={() => setIsArchiving(false)}
        >
          <UsedBy offerId={id} />
          <p>It keeps its place in statistics and sessions. An archived offer cannot be restored.</p>
        </Confirm>
      )}
    </Page>
  );
}
