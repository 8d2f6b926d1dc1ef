import type { Flow } from '@retention-flow/client';
import { SPANS, spanOf } from '../overview/span';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Loaded, type Loading, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { FlowActions } from './flow-actions';
import { FlowStatistics } from './flow-statistics';
import { GraphCard } from './graph/graph-card';
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
      actions={flow && <FlowActions flow={flow} onChange={loading.reload} />}
    >
      <Shown loading={loading} query={query} />
    </Page>
  );
}

function Shown({ loading, query }: { loading: Loading<Flow>; query: URLSearchParams }) {
  const days = spanOf(query);
  return (
    <Loaded loading={loading}>
      {(flow) => (
        <>
          <div class="flow-about">
            <p class="soft">
              {flow.product_name} · version {flow.current_version} ·{' '}
              <a href={href('/sessions', { flow_id: flow.id })}>Sessions of this flow</a>
            </p>
            <SpanChoice days={days} query={query} path={`/flows/${flow.id}`} />
          </div>
          {flow.description && <p class="flow-description">{flow.description}</p>}
          <FlowStatistics flow={flow} days={days} by={query.get('by') ?? ''} query={query}>
            <GraphCard flow={flow} days={days} query={query} />
          </FlowStatistics>
          <Versions flow={flow} query={query} />
          <Snippet flow={flow} />
        </>
      )}
    </Loaded>
  );
}

function SpanChoice({ days, query, path }: { days: number; query: URLSearchParams; path: string }) {
  return (
    <nav class="choice" aria-label="Days">
      {SPANS.map((one) => (
        <a
          key={one}
          href={href(path, { ...Object.fromEntries(query), days: String(one) })}
          aria-current={one === days ? 'true' : undefined}
        >
          {one} days
        </a>
      ))}
    </nav>
  );
}
