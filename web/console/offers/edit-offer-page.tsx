import { etagOf, type Offer, type OfferDraft as Draft } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { readConnection } from '../billing/connection';
import type { PageProps } from '../shell/pages';
import { href, navigate } from '../shell/route';
import { EditorsOnly } from '../shell/editors-only';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Badge } from '../ui/badge';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';
import { DeleteDraft } from '../versions/delete-draft';
import { orNull } from '../versions/or-null';
import { VersionsCard } from '../versions/versions-card';
import { differencesOf } from './offer-differences';
import { changesOf, createOffer, draftOf, NEW_OFFER, type OfferDraft } from './offer-draft';
import { OfferDraftCard } from './offer-draft-card';
import { changed } from './offer-examples';
import { OfferFacts } from './offer-facts';
import { OfferForm } from './offer-form';
import { PublishOfferDialog } from './publish-offer-dialog';
import { UsedBy } from './used-by';

const ABOVE = { href: href('/offers'), name: 'Offers' };

export function NewOfferPage() {
  const { client, mayWrite } = useSession();
  const loading = useLoading(async (signal) => {
    const isConnected = mayWrite && (await readConnection(client, signal)) !== null;
    return isConnected ? changed(NEW_OFFER, { terms: { ...NEW_OFFER.terms, by: 'terms' } }) : NEW_OFFER;
  }, []);
  const create = async (draft: OfferDraft) => {
    await client.offers.create(createOffer(draft));
    toast(`"${draft.name}" is created.`);
    navigate('/offers');
  };
  return (
    <Page title="New offer" above={ABOVE}>
      {mayWrite ? (
        <Loaded loading={loading}>
          {(draft) => <OfferForm draft={draft} isNew verb="Create offer" onSend={create} />}
        </Loaded>
      ) : (
        <EditorsOnly what="create an offer" />
      )}
    </Page>
  );
}

/** An offer, what is being edited of it beside what is live, and its versions. */
export function EditOfferPage({ params: { id } }: PageProps) {
  const { client, mayWrite } = useSession();
  const [asked, setAsked] = useState<'archive' | 'publish' | 'delete'>();
  /** The form begins anew with each: what was typed is gone with its draft. */
  const [round, setRound] = useState(0);
  const loading = useLoading(
    async (signal) => {
      const draft = orNull(client.offers.draft(id, { signal }));
      return { offer: await client.offers.get(id, { signal }), draft: await draft };
    },
    [id],
  );
  const { offer, draft } = loading.value ?? {};
  const begin = async () => {
    await loading.reload();
    setRound((round) => round + 1);
  };
  const archive = async () => {
    await client.offers.archive(id, { ifMatch: etagOf(offer!) });
    toast('The offer is archived.');
    await loading.reload();
  };
  const unarchive = useAction(async () => {
    await client.offers.update(id, { status: 'active' }, { ifMatch: etagOf(offer!) });
    toast('The offer is back. Flows that name it show it again.');
    await loading.reload();
  });
  const deleteDraft = async () => {
    await client.offers.deleteDraft(id, { ifMatch: etagOf(draft!) });
    await begin();
    toast('The draft is deleted.');
  };
  const save = async (typed: OfferDraft, before: OfferDraft, isPublishing: boolean) => {
    const changes = changesOf(before, typed);
    const hasChanges = Object.keys(changes).length > 0;
    if (!hasChanges && !(isPublishing && draft)) return toast('Nothing has changed.');
    let faults = draft?.faults ?? [];
    if (hasChanges) {
      ({ faults } = await client.offers.saveDraft(id, changes, { ifMatch: etagOf(draft ?? offer!) }));
      await loading.reload();
    }
    if (isPublishing && faults.length > 0) toast('The draft is saved, but cannot be published yet.');
    else if (isPublishing) setAsked('publish');
    else toast('The draft is saved. Customers see nothing of it until you publish it.');
  };

  return (
    <Page
      title={offer?.name ?? 'Offer'}
      above={ABOVE}
      beside={offer && <Badge status={offer.status} />}
      actions={
        mayWrite &&
        (offer?.status === 'active' ? (
          <button type="button" class="quiet" onClick={() => setAsked('archive')}>
            Archive
          </button>
        ) : (
          offer && (
            <button type="button" class="quiet" disabled={unarchive.isBusy} onClick={() => unarchive.run()}>
              Bring back
            </button>
          )
        ))
      }
    >
      <div role="alert">
        {unarchive.error !== undefined && <p class="notice error">{messageOf(unarchive.error)}</p>}
      </div>
      <Loaded loading={loading}>
        {({ offer, draft }) => (
          <>
            {draft && <OfferDraftCard offer={offer} draft={draft} onDelete={() => setAsked('delete')} />}
            {mayWrite && offer.status === 'active' ? (
              <OfferForm key={round} draft={draftOf(withDraft(offer, draft))} verb="Publish …" onSend={save} />
            ) : (
              <OfferFacts offer={offer} />
            )}
            <VersionsCard
              id={offer.id}
              current={offer.current_version}
              read={(signal) => client.offers.versions(id, {}, { signal })}
              restoring={{
                differences: async (version, signal) =>
                  differencesOf(offer, await client.offers.version(id, version, { signal })),
                restore: (version, body) => client.offers.restore(id, version, body, { ifMatch: etagOf(offer) }),
                consequence: 'Customers who come to the offer from now on see it.',
                onRestored: begin,
              }}
            />
          </>
        )}
      </Loaded>
      {asked === 'publish' && offer && draft && (
        <PublishOfferDialog offer={offer} draft={draft} onPublished={begin} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'delete' && <DeleteDraft onConfirm={deleteDraft} onClose={() => setAsked(undefined)} />}
      {asked === 'archive' && (
        <Confirm
          title="Archive this offer?"
          verb="Archive"
          isDangerous
          onConfirm={archive}
          onClose={() => setAsked(undefined)}
        >
          <UsedBy offerId={id} meaning="which will pass over it: customers go on to what follows." />
          <p>It keeps its place in statistics and sessions, and you can bring it back.</p>
        </Confirm>
      )}
    </Page>
  );
}

/** An offer as it would be if its draft were live. */
function withDraft(offer: Offer, draft: Draft | null): Offer {
  return { ...offer, ...draft, updated_at: offer.updated_at };
}
