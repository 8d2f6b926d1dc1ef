import type { FlowListItem, RetentionFlow, WorkspaceStats } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Empty } from '../ui/empty';
import { Select } from '../ui/field';
import { count, percent } from '../ui/format';
import { useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { Problem } from '../ui/problem';
import { during, usualSpan } from '../ui/span';
import { Time } from '../ui/time';
import { numberColumn, Table } from '../ui/table';

const STATUSES = ['draft', 'published', 'archived'] as const;
const DAYS = usualSpan().days;

type Sums = Map<string, Pick<WorkspaceStats['flows'][number], 'sessions' | 'rates'>>;

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

/** The numbers of the last days, by flow. A flow without a session is not there. */
async function readSums(client: RetentionFlow, signal: AbortSignal): Promise<Sums> {
  const { flows } = await client.workspace.stats(during(usualSpan()), { signal });
  return new Map(flows.map((flow) => [flow.flow_id, flow]));
}

function FlowTable({ pages, sums }: { pages: FlowListItem[][]; sums: Sums | undefined }) {
  if (pages.length === 0) return null;
  return (
    <Table
      label="Flows"
      caption={`Flows, newest first; sessions and saved customers are those of the last ${DAYS} days`}
      class="flows"
      columns={[
        'Name',
        'Product',
        'Status',
        numberColumn('Version'),
        numberColumn(`Sessions, ${DAYS} d`, `Of the last ${DAYS} days`),
        numberColumn('Saved', `Of the last ${DAYS} days`),
        'Updated',
      ]}
    >
      <tbody>
        {pages.flat().map((flow) => (
          <FlowRow key={flow.id} flow={flow} sums={sums} />
        ))}
      </tbody>
    </Table>
  );
}

function FlowRow({ flow, sums }: { flow: FlowListItem; sums: Sums | undefined }) {
  const own = sums?.get(flow.id);
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
      <td class="number">{sums && count(own?.sessions.total ?? 0)}</td>
      <td class="number">{sums && percent(own?.rates.saved ?? null)}</td>
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
