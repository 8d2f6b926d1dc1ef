import { etagOf, type Flow } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';

/** Says that a flow goes by audiences as they were, and takes them as they are now. */
export function AudiencesChanged({ flow, onPublished }: { flow: Flow; onPublished: () => Promise<void> }) {
  const { client, mayWrite } = useSession();
  const publish = useAction(async () => {
    await client.flows.update(flow.id, { status: 'published' }, { ifMatch: etagOf(flow) });
    await onPublished();
    toast('The flow goes by the audiences as they are now.');
  });
  return (
    <div class="notice warning">
      <p>An audience has changed since this version was published. Customers go by what it was then.</p>
      {mayWrite && (
        <button type="button" class="quiet small" disabled={publish.isBusy} onClick={() => publish.run()}>
          Publish with the new audiences
        </button>
      )}
      <div role="alert">{publish.error !== undefined && messageOf(publish.error)}</div>
    </div>
  );
}
