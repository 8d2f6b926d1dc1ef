import type { Flow } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Loaded, type Loading, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { spanOf } from '../ui/span';
import { SpanChoice } from '../ui/span-choice';
import { DraftCard } from './draft-card';
import { ExitCard } from './exit-card';
import { FlowActions } from './flow-actions';
import { FlowStatistics } from './flow-statistics';
import { GraphCard, versionOf } from './graph/graph-card';
import { ReviewCard } from './review-card';
import { Snippet } from './snippet';
import { Versions } from './versions';

export function FlowPage({ params: { id }, query }: PageProps) {
  const { client } = useSession();
  const loading = useLoading((signal) => client.flows.get(id, { signal }), [id]);
  const flow = loading.value;
  return (
    <Page
      title={flow?.name ?? 'Flow'}
      above={{ href: href('/flows'), name: 'Flows' }}
      beside={flow && <Badge status={flow.status} />}
      actions={
        flow && <FlowActions flow={flow} version={versionOf(query, flow.current_version)} onChange={loading.reload} />
      }
    >
      <Shown loading={loading} query={query} />
    </Page>
  );
}

function Shown({ loading, query }: { loading: Loading<Flow>; query: URLSearchParams }) {
  const span = spanOf(query);
  return (
    <Loaded loading={loading}>
      {(flow) => (
        <>
          <div class="flow-about">
            <p class="soft">
              {flow.product_name} · version {flow.current_version} ·{' '}
              <a href={href('/sessions', { flow_id: flow.id })}>Sessions of this flow</a>
            </p>
            <SpanChoice path={`/flows/${flow.id}`} query={query} />
          </div>
          {flow.description && <p class="flow-description">{flow.description}</p>}
          <DraftCard flow={flow} onPublished={loading.reload} />
          <FlowStatistics flow={flow} span={span} by={query.get('by') ?? ''} query={query}>
            <GraphCard flow={flow} span={span} query={query} />
          </FlowStatistics>
          <ReviewCard flowId={flow.id} at={flow.updated_at} />
          <Versions flow={flow} query={query} onRestored={loading.reload} />
          <Snippet flow={flow} />
          <ExitCard flow={flow} onChanged={loading.reload} />
        </>
      )}
    </Loaded>
  );
}
