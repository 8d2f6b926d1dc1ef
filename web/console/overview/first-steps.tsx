import type { RetentionFlow, VersionListItem } from '@retention-flow/client';
import type { ComponentChildren } from 'preact';
import { href } from '../shell/route';
import { SERVICE, useSession } from '../shell/session';
import { Secret } from '../ui/secret';

/** How far a workspace has come. */
export interface StepsDone {
  hasOffer: boolean;
  /** A flow of the service, to try: what the widget starts it with. */
  example: string | undefined;
  /** The id of the newest flow. */
  flowId: string | undefined;
  /** What the widget starts the newest published flow with. */
  slug: string | undefined;
  hasSession: boolean;
}

export async function stepsDone(client: RetentionFlow, signal: AbortSignal): Promise<StepsDone> {
  const [{ offers }, { flows }, published, { sessions }] = await Promise.all([
    client.offers.list({ limit: 1 }, { signal }),
    client.flows.list({ limit: 1 }, { signal }),
    client.flows.list({ limit: 1, status: 'published' }, { signal }),
    client.sessions.list({ limit: 1 }, { signal }),
  ]);
  const [flow, live] = [flows[0], published.flows[0]];
  // What the service made as an example was done by nobody.
  const isOwn = async (one: { id: string } | undefined, of: 'flows' | 'offers') =>
    one !== undefined && isOfSomebody(await client[of].versions(one.id, {}, { signal }));
  const [hasOffer, hasFlow, isLive] = await Promise.all([
    isOwn(offers[0], 'offers'),
    isOwn(flow, 'flows'),
    isOwn(live, 'flows'),
  ]);
  return {
    hasOffer,
    example: isLive ? undefined : live?.slug,
    flowId: hasFlow ? flow.id : undefined,
    slug: isLive ? live.slug : undefined,
    hasSession: sessions.length > 0,
  };
}

const isOfSomebody = ({ versions }: { versions: VersionListItem[] }) =>
  versions.some(({ published_by }) => published_by !== null);

/** What to do in a workspace without a session. */
export function FirstSteps({ done }: { done: StepsDone }) {
  const { hasOffer, example, flowId, slug } = done;
  return (
    <section class="card first-steps">
      <div>
        <h2>What to do first</h2>
        <p class="soft">
          Numbers appear here as soon as the first customer opens a flow.
          {example && (
            <>
              {' '}
              There is an example to try:{' '}
              <a href={`${SERVICE}/demo?flow=${example}`} target="_blank" rel="noreferrer">
                see it in the demo
              </a>
              .
            </>
          )}
        </p>
      </div>
      <ol>
        <Step isDone={hasOffer} title="Create an offer" to={href('/offers/new')}>
          Such as half the price for three months, or a pause.
        </Step>
        <Step isDone={flowId !== undefined} title="Create a flow" to={href('/flows/new')}>
          It asks customers why they leave, and shows them the offers.
        </Step>
        <Step
          isDone={slug !== undefined}
          title="Publish the flow"
          to={flowId === undefined ? undefined : href(`/flows/${flowId}`)}
        >
          Customers see published flows only.
        </Step>
        <Step isDone={false} title="Put the widget on your page">
          A script, and the attribute on your cancel link. The link leads to your cancellation page, also while the
          service is down.
        </Step>
      </ol>
      <Secret label={slug ? 'For your page' : 'For your page, once a flow is published'} value={snippet(slug)} />
    </section>
  );
}

interface StepProps {
  isDone: boolean;
  title: string;
  /** The page where it is done. */
  to?: string | undefined;
  children: ComponentChildren;
}

function Step({ isDone, title, to, children }: StepProps) {
  const { mayWrite } = useSession();
  return (
    <li class={isDone ? 'done' : ''}>
      <strong>{to && mayWrite && !isDone ? <a href={to}>{title}</a> : title}</strong>
      {isDone && <span class="unseen"> (done)</span>}
      <p class="soft">{children}</p>
    </li>
  );
}

function snippet(slug = 'your-flow'): string {
  return `<script async src="${SERVICE}/widget/v1.js"></script>
<a href="/account/cancel" data-retention-flow="${slug}">Cancel subscription</a>`;
}
