import { etagOf, type Flow } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Loaded, type Loading, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { Tabs } from '../ui/tabs';
import { spanOf } from '../ui/span';
import { SpanChoice } from '../ui/span-choice';
import { ButtonCard } from './button-card';
import { DraftCard } from './draft-card';
import { ExitCard } from './exit-card';
import { FlowActions } from './flow-actions';
import { FlowStatistics } from './flow-statistics';
import { GraphCard, versionOf } from './graph/graph-card';
import { ReviewCard } from './review-card';
import { Snippet } from './snippet';
import { VersionsCard } from '../versions/versions-card';
import { differencesOf } from './differences';
import { AudiencesChanged } from './audiences-changed';
import { useAudiences } from './use-audiences';
import { offerNames } from './offer-names';

export function FlowPage({ params: { id }, query }: PageProps) {
  const { client } = useSession();
  const loading = useLoading((signal) => client.flows.get(id, { signal }), [id]);
  useAudiences();
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

const TABS = [
  ['results', 'Results'],
  ['content', 'Content'],
  ['versions', 'Versions'],
  ['install', 'Install'],
] as const;
type Tab = (typeof TABS)[number][0];

/** The part of the page that its address names. A version is content. */
function tabOf(query: URLSearchParams): Tab {
  const asked = query.get('tab');
  return TABS.find(([tab]) => tab === asked)?.[0] ?? (query.has('version') ? 'content' : 'results');
}

interface ShownProps {
  loading: Loading<Flow>;
  query: URLSearchParams;
}

function Shown({ loading, query }: ShownProps) {
  const tab = tabOf(query);
  return (
    <Loaded loading={loading}>
      {(flow) => (
        <>
          <p class="soft">
            {flow.product_name} · version {flow.current_version} ·{' '}
            <a href={href('/sessions', { flow_id: flow.id })}>Sessions of this flow</a>
          </p>
          {flow.description && <p class="flow-description">{flow.description}</p>}
          {flow.audiences_changed && flow.status === 'published' && (
            <AudiencesChanged flow={flow} onPublished={loading.reload} />
          )}
          <DraftCard flow={flow} onPublished={loading.reload} />
          <div class="flow-about">
            <Tabs
              label="Parts of the flow"
              tabs={TABS}
              current={tab}
              hrefOf={(one) => href(`/flows/${flow.id}`, { ...Object.fromEntries(query), tab: one })}
            />
            {(tab === 'results' || tab === 'content') && <SpanChoice path={`/flows/${flow.id}`} query={query} />}
          </div>
          <Part flow={flow} tab={tab} query={query} onChange={loading.reload} />
        </>
      )}
    </Loaded>
  );
}

interface PartProps {
  flow: Flow;
  tab: Tab;
  query: URLSearchParams;
  onChange: () => Promise<void>;
}

function Part({ flow, tab, query, onChange }: PartProps) {
  const span = spanOf(query);
  switch (tab) {
    case 'results':
      return <FlowStatistics flow={flow} span={span} by={query.get('by') ?? ''} query={query} onChange={onChange} />;
    case 'content':
      return (
        <>
          <GraphCard flow={flow} span={span} query={query} />
          <ReviewCard flowId={flow.id} definition={flow.definition} at={flow.updated_at} />
        </>
      );
    case 'versions':
      return <Versions flow={flow} query={query} onChange={onChange} />;
    default:
      return (
        <>
          <Snippet flow={flow} />
          <ExitCard flow={flow} onChanged={onChange} />
          <ButtonCard key={flow.updated_at} flow={flow} onChanged={onChange} />
        </>
      );
  }
}

function Versions({ flow, query, onChange }: Omit<PartProps, 'tab'>) {
  const { client } = useSession();
  return (
    <VersionsCard
      id={flow.id}
      current={flow.current_version}
      read={(signal) => client.flows.versions(flow.id, {}, { signal })}
      pageOf={(version) =>
        href(`/flows/${flow.id}`, { ...Object.fromEntries(query), tab: 'content', version: String(version) })
      }
      restoring={{
        differences: async (version, signal) => {
          const [earlier, offers] = await Promise.all([
            client.flows.version(flow.id, version, { signal }),
            offerNames(client, signal),
          ]);
          return differencesOf(flow, earlier, offers);
        },
        restore: (version, body) => client.flows.restore(flow.id, version, body, { ifMatch: etagOf(flow) }),
        consequence: 'Customers who come from now on see it; those under way stay with theirs.',
        onRestored: onChange,
      }}
    />
  );
}
