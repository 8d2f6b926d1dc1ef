import { ApiError, type Flow, type RetentionFlow } from '@retention-flow/client';
import type { PageProps } from '../../shell/pages';
import { href } from '../../shell/route';
import { EditorsOnly } from '../../shell/editors-only';
import { useSession } from '../../shell/session';
import { Badge } from '../../ui/badge';
import { Loaded, useLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { FlowGraph } from '../graph/flow-graph';
import { readDraft } from '../read-draft';
import type { ChosenOffer } from './chosen-offer';

const FLOWS = { href: href('/flows'), name: 'Flows' };

export function NewFlowPage() {
  const { client, mayWrite } = useSession();
  const loading = useLoading(async (signal) => {
    const [{ NewFlow }, offers] = await Promise.all([import('./editor'), readOffers(client, [], signal)]);
    return { NewFlow, offers };
  }, []);
  return (
    <Page title="New flow" above={FLOWS}>
      {mayWrite ? (
        <Loaded loading={loading}>{({ NewFlow, offers }) => <NewFlow offers={[...offers.values()]} />}</Loaded>
      ) : (
        <EditorsOnly what="create a flow" />
      )}
    </Page>
  );
}

export function EditFlowPage({ params: { id } }: PageProps) {
  const { client, mayWrite } = useSession();
  const loading = useLoading(
    async (signal) => {
      const [{ FlowEditor }, flow, draft] = await Promise.all([
        import('./editor'),
        client.flows.get(id, { signal }),
        readDraft(client, id, signal),
      ]);
      const ids = [...new Set([...flow.offer_ids, ...(draft?.offer_ids ?? [])])];
      return { FlowEditor, flow, draft, offers: await readOffers(client, ids, signal) };
    },
    [id],
  );
  const flow = loading.value?.flow;
  return (
    <Page
      title={flow && mayWrite ? `Edit ${flow.name}` : (flow?.name ?? 'Flow')}
      above={flow ? { href: href(`/flows/${id}`), name: flow.name } : FLOWS}
      beside={flow && <Badge status={flow.status} />}
    >
      <Loaded loading={loading}>
        {({ FlowEditor, flow, draft, offers }) =>
          mayWrite ? (
            <FlowEditor first={{ flow, draft }} offers={offers} />
          ) : (
            <FlowPicture flow={flow} offers={offers} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** For a key that may not write. */
function FlowPicture({ flow, offers }: { flow: Flow; offers: Map<string, ChosenOffer> }) {
  return (
    <>
      <EditorsOnly what="edit the flow" />
      <section class="card" aria-labelledby="content">
        <h2 id="content">What customers see</h2>
        <FlowGraph definition={flow.definition} offers={offers} />
      </section>
    </>
  );
}

/** All active offers, and those that a flow has though they are archived. */
async function readOffers(
  client: RetentionFlow,
  ids: string[],
  signal: AbortSignal,
): Promise<Map<string, ChosenOffer>> {
  const offers = new Map<string, ChosenOffer>();
  for await (const offer of client.offers.list({ limit: 500 }, { signal })) offers.set(offer.id, offer);
  const missing = ids.filter((id) => !offers.has(id));
  for (const id of missing) {
    try {
      offers.set(id, { ...(await client.offers.get(id, { signal })), isArchived: true });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return offers;
}
