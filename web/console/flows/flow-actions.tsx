import { pick } from '../../../src/platform/common/pick';
import { type CreateFlow, etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { PreviewDialog } from '../preview/preview-dialog';
import { href, navigate } from '../shell/route';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Confirm } from '../ui/dialog';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';
import { INPUT_NAMES } from './flow-fields';

const NAME_LENGTH = 200;

interface FlowActionsProps {
  flow: Flow;
  /** The number of the version that is shown. */
  version: number;
  onChange: () => Promise<void>;
}

/** What one can do with a flow. A key that may not write may look at it. */
export function FlowActions({ flow, version, onChange }: FlowActionsProps) {
  const { client, mayWrite } = useSession();
  const [asked, setAsked] = useState<'publish' | 'archive' | 'preview'>();
  const shownContent = async () =>
    version === flow.current_version ? undefined : client.flows.version(flow.id, version);
  const duplicate = useAction(async () => {
    const { id } = await client.flows.create(copyOf({ ...flow, ...(await shownContent()) }));
    toast('A copy was created. It is a draft.');
    navigate(`/flows/${id}`);
  });
  const publish = async () => {
    await client.flows.update(flow.id, { status: 'published' }, { ifMatch: etagOf(flow) });
    toast('The flow is published.');
    await onChange();
    navigate(`/flows/${flow.id}`, { tab: 'install' });
  };
  const archive = async () => {
    await client.flows.archive(flow.id, { ifMatch: etagOf(flow) });
    toast('The flow is archived.');
    await onChange();
  };

  return (
    <div class="flow-actions">
      <div class="actions">
        {mayWrite && (
          <a class="quiet" href={href(`/flows/${flow.id}/edit`)}>
            Edit
          </a>
        )}
        <a class="quiet" href={href(`/flows/${flow.id}/languages`)}>
          Languages
        </a>
        <button type="button" class="quiet" onClick={() => setAsked('preview')}>
          Preview
        </button>
        {mayWrite && (
          <button type="button" class="quiet" disabled={duplicate.isBusy} onClick={() => duplicate.run()}>
            Duplicate
          </button>
        )}
        {mayWrite && flow.status !== 'archived' && (
          <button type="button" class="quiet" onClick={() => setAsked('archive')}>
            Archive
          </button>
        )}
        {mayWrite && flow.status !== 'published' && (
          <button type="button" class="primary" onClick={() => setAsked('publish')}>
            Publish
          </button>
        )}
      </div>
      <div role="alert">
        {duplicate.error !== undefined && <p class="notice error">{messageOf(duplicate.error)}</p>}
      </div>
      {asked === 'preview' && (
        <PreviewDialog flowId={flow.id} definition={flow.definition} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'publish' && (
        <Confirm title="Publish this flow?" verb="Publish now" onConfirm={publish} onClose={() => setAsked(undefined)}>
          <p>Customers see it at once, wherever a page of yours has its link.</p>
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

/**
 * What creates the same flow once more, as a draft. Its exit page stays closed: it would be open whatever the status.
 */
function copyOf(flow: Flow): CreateFlow {
  const { offer_ids, survey, definition } = flow;
  return {
    ...pick(flow, INPUT_NAMES),
    name: `Copy of ${flow.name}`.slice(0, NAME_LENGTH),
    ...(flow.flow_mode === 'simple' ? { offer_ids, survey } : { definition: withNewSalts(definition) }),
  };
}

/** An experiment of a copy draws anew: its customers have nothing to do with the arms of the first. */
function withNewSalts(definition: Flow['definition']): Flow['definition'] {
  const nodes = definition.nodes.map((node) =>
    node.type === 'split' ? { ...node, config: { ...node.config, salt: newSalt() } } : node,
  );
  return { ...definition, nodes };
}

/** Not `crypto.randomUUID`: browsers have it on HTTPS only. */
function newSalt(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
