import type { FlowListItem, RetentionFlow } from '@retention-flow/client';
import { firstDay } from '../overview/span';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { rateOf } from '../ui/day-scale';
import { Empty } from '../ui/empty';
import { Select } from '../ui/field';
import { count, percent } from '../ui/format';
import { useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { Problem } from '../ui/problem';
import { Time } from '../ui/time';

const STATUSES = ['draft', 'published', 'archived'] as const;
const DAYS = 30;

type Sums = Map<string, { saved: number; sessions: number }>;

export function FlowsPage({ query }: PageProps) {
  const { client, mayWrite } = useSession();
  const status = STATUSES.find((one) => one === query.get('status'));
  const list = usePages(
    async (cursor, signal) => {
      const { flows, next_cursor } = await client.flows.list(
        { ...(status && { status }), ...(cursor !== undefined && { cursor }) },
        { signal },
      );
      return { items: flows, next_cursor };
    },
    [status],
  );
  const sums = useLoading((signal) => readSums(client, signal), []);
  const isNone = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);

  return (
    <Page
      title="Flows"
      actions={
        mayWrite && (
          <a class="primary" href={href('/flows/new')}>
            New flow
          </a>
        )
      }
    >
      <div class="filters">
        <Select
          name="status"
          label="Status"
          value={status ?? ''}
          options={[['', 'All'], ...STATUSES.map((one) => [one, one] as const)]}
          onInput={(chosen) => replace('/flows', { status: chosen })}
        />
      </div>
      {sums.error !== undefined && <Problem error={sums.error} onRetry={sums.reload} />}
      {isNone ? <NoFlows status={status} /> : <FlowTable pages={list.pages} sums={sums.value} />}
      <MoreOf list={list} />
    </Page>
  );
}

/** Sessions of the last days, by flow. A flow without any is not there. */
async function readSums(client: RetentionFlow, signal: AbortSignal): Promise<Sums> {
  const { flows } = await client.workspace.stats({ from: firstDay(DAYS, Date.now()) }, { signal });
  return new Map(flows.map((flow) => [flow.flow_id, { saved: flow.sessions.saved, sessions: flow.sessions.total }]));
}

function FlowTable({ pages, sums }: { pages: FlowListItem[][]; sums: Sums | undefined }) {
  if (pages.length === 0) return null;
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Flows">
      <table class="flows">
        <caption class="unseen">Flows, newest first; sessions and save rate are those of the last {DAYS} days</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Product</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Version
            </th>
            <th scope="col" class="number" title={`Of the last ${DAYS} days`}>
              Sessions, {DAYS} d
            </th>
            <th scope="col" class="number" title={`Of the last ${DAYS} days`}>
              Save rate
            </th>
            <th scope="col">Updated</th>
          </tr>
        </thead>
        <tbody>
          {pages.flat().map((flow) => (
            <FlowRow key={flow.id} flow={flow} sums={sums} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FlowRow({ flow, sums }: { flow: FlowListItem; sums: Sums | undefined }) {
  const own = sums && (sums.get(flow.id) ?? { saved: 0, sessions: 0 });
  return (
    <tr>
      <td class="name">
        <a href={href(`/flows/${flow.id}`)}>{flow.name}</a>
      </td>
      <td class="product">{flow.product_name}</td>
      <td>
        <Badge status={flow.status} />
      </td>
      <td class="number">{flow.current_version}</td>
      <td class="number">{own && count(own.sessions)}</td>
      <td class="number">{own && percent(rateOf(own))}</td>
      <td class="updated">
        <Time value={flow.updated_at} />
      </td>
    </tr>
  );
}

function NoFlows({ status }: { status: string | undefined }) {
  const { mayWrite } = useSession();
  if (status) return <Empty title={`No flow is ${status === 'draft' ? 'a draft' : status}`} />;
  return (
    <Empty title="There is no flow yet">
      <p>A flow is what customers go through when they click “cancel”: a question, your offers, and a way out.</p>
      {mayWrite && (
        <a class="primary" href={href('/flows/new')}>
          Create the first flow
        </a>
      )}
    </Empty>
  );
}
