import { etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { PreviewDialog } from '../preview/preview-dialog';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { faultsInWords } from './edit/model/fault-words';
import { differencesOf } from './differences';
import { DeleteDraft } from '../versions/delete-draft';
import { DifferencesFrom } from '../versions/differences-from';
import { NewerVersion } from '../versions/newer-version';
import { offerNames } from './offer-names';
import { PublishDialog } from './publish-dialog';
import { readDraft } from './read-draft';

/** What is being edited beside what is live, if anything: how it differs, and what to do with it. */
export function DraftCard({ flow, onPublished }: { flow: Flow; onPublished: () => Promise<void> }) {
  const { client, mayWrite } = useSession();
  const [asked, setAsked] = useState<'preview' | 'publish' | 'delete'>();
  const loading = useLoading(
    async (signal) => {
      const draft = await readDraft(client, flow.id, signal);
      return draft && { draft, offers: await offerNames(client, signal) };
    },
    [flow.id, flow.current_version],
  );
  if (!loading.value) return null;
  const { draft, offers } = loading.value;
  const differences = differencesOf(flow, draft, offers);
  const remove = async () => {
    await client.flows.deleteDraft(flow.id, { ifMatch: etagOf(draft) });
    toast('The draft is deleted.');
    await loading.reload();
  };
  return (
    <section class="card" aria-labelledby="draft">
      <div class="card-head">
        <h2 id="draft">Draft</h2>
        <div class="actions">
          <button type="button" class="quiet" onClick={() => setAsked('preview')}>
            Preview draft
          </button>
          {mayWrite && (
            <>
              <button type="button" class="quiet" onClick={() => setAsked('delete')}>
                Delete draft
              </button>
              <button
                type="button"
                class="primary"
                disabled={draft.faults.length > 0}
                onClick={() => setAsked('publish')}
              >
                Publish draft
              </button>
            </>
          )}
        </div>
      </div>
      <p class="soft">
        Saved by {draft.updated_by.name}, <Time value={draft.updated_at} />. Customers see nothing of it.
      </p>
      <NewerVersion draft={draft} />
      <DifferencesFrom differences={differences} version={flow.current_version} after="Draft" />
      {draft.faults.length > 0 && (
        <div class="notice error">
          <p>It cannot be published yet:</p>
          <ul>
            {faultsInWords(draft.faults, draft.definition).map(({ words }) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
      {asked === 'preview' && (
        <PreviewDialog flowId={flow.id} definition={draft.definition} isDraft onClose={() => setAsked(undefined)} />
      )}
      {asked === 'publish' && (
        <PublishDialog
          flow={flow}
          draft={draft}
          offers={offers}
          onPublished={async () => {
            await onPublished();
            await loading.reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'delete' && <DeleteDraft onConfirm={remove} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
