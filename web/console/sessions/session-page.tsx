import { ApiError, type FlowNode, type SessionRecord } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { FulfilmentWords } from '../billing/fulfilment';
import { offerNames } from '../flows/offer-names';
import { EraseCustomer } from './erase-customer';
import { SessionEvents } from './session-events';
import { useAudiences } from '../flows/use-audiences';
import { SessionFacts } from './session-facts';
import { Timeline } from './timeline';

interface Shown {
  session: SessionRecord;
  flow: string;
  productName: string;
  nodes: Map<string, FlowNode>;
  offers: Map<string, { name: string }>;
}

export function SessionPage({ params: { id } }: PageProps) {
  const { client, isOwner } = useSession();
  const [isErasing, setIsErasing] = useState(false);
  useAudiences();
  const loading = useLoading<Shown | null>(
    async (signal) => {
      try {
        const session = await client.sessions.get(id, { signal });
        const { name, product_name, definition } = await client.flows.version(session.flow_id, session.flow_version, {
          signal,
        });
        const isOfferWithheld = session.steps.some(({ withheld }) => withheld !== null);
        const offers: Shown['offers'] = isOfferWithheld ? await offerNames(client, signal) : new Map();
        return {
          session,
          flow: name,
          productName: product_name,
          nodes: new Map(definition.nodes.map((node) => [node.key, node])),
          offers,
        };
      } catch (error) {
        // 400: it is not even an id.
        if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
    [id],
  );
  const session = loading.value?.session;
  const customerId = session?.customer_id;
  return (
    <Page
      title={loading.value === null ? 'Session not found' : 'Session'}
      above={{ href: href('/sessions'), name: 'Sessions' }}
      beside={session && <Badge status={session.status} />}
      actions={
        isOwner &&
        typeof customerId === 'string' && (
          <button type="button" class="quiet" onClick={() => setIsErasing(true)}>
            Erase this customer
          </button>
        )
      }
    >
      <Loaded loading={loading}>
        {(shown) =>
          shown === null ? (
            <Empty title="No session has this id">
              <p>It was deleted, or belongs to another workspace.</p>
            </Empty>
          ) : (
            <>
              <SessionFacts session={shown.session} flow={shown.flow} />
              {shown.session.fulfilment.state !== 'none' && (
                <section class="card" aria-labelledby="billing">
                  <div class="card-head">
                    <h2 id="billing">Billing</h2>
                    <Badge status={shown.session.fulfilment.state} />
                  </div>
                  <FulfilmentWords session={shown.session} onChange={loading.reload} />
                </section>
              )}
              <Timeline {...shown} />
              <SessionEvents sessionId={shown.session.id} />
            </>
          )
        }
      </Loaded>
      {isErasing && typeof customerId === 'string' && (
        <EraseCustomer customerId={customerId} onErased={loading.reload} onClose={() => setIsErasing(false)} />
      )}
    </Page>
  );
}
