import type { CreateFlow, Flow } from '@retention-flow/client';
import { useRef, useState } from 'preact/hooks';
import { href, navigate } from '../shell/route';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Confirm } from '../ui/dialog';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';
import { preview } from './preview';

const NAME_LENGTH = 200;

/** What one can do with a flow. A key that may not write is offered nothing. */
export function FlowActions({ flow, onChange }: { flow: Flow; onChange: () => void }) {
  const { client, mayWrite } = useSession();
  const [asked, setAsked] = useState<'publish' | 'archive'>();
  const shown = useRef<HTMLDivElement>(null);
  const duplicate = useAction(async () => {
    const { id } = await client.flows.create(copyOf(flow));
    toast('A copy was created. It is a draft.');
    navigate(`/flows/${id}`);
  });
  const look = useAction(async () => {
    const { session_id } = await client.flows.preview(flow.id);
    toast(await preview(session_id, shown.current!));
  });
  const publish = async () => {
    await client.flows.update(flow.id, { status: 'published' });
    toast('The flow is published.');
    onChange();
  };
  const archive = async () => {
    await client.flows.archive(flow.id);
    toast('The flow is archived.');
    onChange();
  };
  const error = duplicate.error ?? look.error;

  if (!mayWrite) return null;
  return (
    <div class="flow-actions" ref={shown}>
      <div class="actions">
        <a class="quiet" href={href(`/flows/${flow.id}/edit`)}>
          Edit
        </a>
        <button type="button" class="quiet" disabled={look.isBusy} onClick={() => look.run()}>
          Preview
        </button>
        <button type="button" class="quiet" disabled={duplicate.isBusy} onClick={() => duplicate.run()}>
          Duplicate
        </button>
        {flow.status !== 'archived' && (
          <button type="button" class="quiet" onClick={() => setAsked('archive')}>
            Archive
          </button>
        )}
        {flow.status !== 'published' && (
          <button type="button" class="primary" onClick={() => setAsked('publish')}>
            Publish
          </button>
        )}
      </div>
      <div role="alert">{error !== undefined && <p class="notice error">{messageOf(error)}</p>}</div>
      {asked === 'publish' && (
        <Confirm title="Publish this flow?" verb="Publish now" onConfirm={publish} onClose={() => setAsked(undefined)}>
          <p>Sessions can start on it at once, wherever a page of yours has its slug.</p>
        </Confirm>
      )}
      {asked === 'archive' && (
        <Confirm
          title="Archive this flow?"
          verb="Archive now"
          isDangerous
          onConfirm={archive}
          onClose={() => setAsked(undefined)}
        >
          <p>
            No further session starts on it: customers go straight to your cancellation page. Sessions under way go on,
            and all numbers stay. You can publish it again.
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** What creates the same flow once more, as a draft. */
function copyOf(flow: Flow): CreateFlow {
  return {
    name: `Copy of ${flow.name}`.slice(0, NAME_LENGTH),
    product_name: flow.product_name,
    cancellation_url: flow.cancellation_url,
    description: flow.description,
    estimated_monthly_value: flow.estimated_monthly_value,
    notification_email: flow.notification_email,
    metadata: flow.metadata,
    flow_mode: flow.flow_mode,
    ...(flow.flow_mode === 'simple' ? { offer_ids: flow.offer_ids } : { definition: flow.definition }),
  };
}
