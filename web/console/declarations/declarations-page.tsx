import type { Declaration } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Download } from '../ui/download';
import { Empty } from '../ui/empty';
import { named, Select } from '../ui/field';
import { filtersOf } from '../ui/filters';
import { useFlowNames } from '../ui/flow-names';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { SearchField } from '../ui/search-field';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { declarationIn, dueIn, isOverdue } from './declared';

const PER_PAGE = 100;
const FILTERS = ['q', 'state', 'flow_id', 'kind'] as const;
const MAX_SEARCH = 200;
type Kind = Declaration['kind'];
type State = 'open' | 'done';

/** What customers declared on exit pages, and what is due. */
export function DeclarationsPage({ query }: PageProps) {
  const { client } = useSession();
  const filters = filtersOf(query, FILTERS);
  const wanted = filters as { q?: string; state?: State; flow_id?: string; kind?: Kind };
  const flows = useFlowNames() ?? new Map<string, string>();
  const list = usePages(
    async (cursor, signal) => {
      const page = await client.declarations.list(
        { ...wanted, limit: PER_PAGE, ...(cursor && { cursor }) },
        { signal },
      );
      return { items: page.declarations, next_cursor: page.next_cursor };
    },
    [query.toString()],
  );
  const isEmpty = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);
  const change = (changes: object) => replace('/declarations', { ...filters, ...changes });
  return (
    <Page
      title="Declarations"
      actions={<Download name="declarations.csv" load={(signal) => client.declarations.csv(wanted, { signal })} />}
    >
      <div class="filters" role="group" aria-label="Filters">
        <SearchField
          name="q"
          placeholder="Number, name or contract"
          maxLength={MAX_SEARCH}
          value={filters.q ?? ''}
          onChange={(q) => change({ q })}
        />
        <Select
          name="state"
          label="State"
          options={[
            ['', 'Open and done'],
            ['open', 'Open'],
            ['done', 'Done'],
          ]}
          value={filters.state ?? ''}
          onInput={(state) => change({ state })}
        />
        <Select
          name="flow_id"
          label="Flow"
          options={[['', 'All flows'], ...named(flows, filters.flow_id)]}
          value={filters.flow_id ?? ''}
          onInput={(flow_id) => change({ flow_id })}
        />
        <Select
          name="kind"
          label="Kind"
          options={[
            ['', 'All kinds'],
            ['termination', 'Terminations'],
            ['withdrawal', 'Withdrawals'],
          ]}
          value={filters.kind ?? ''}
          onInput={(kind) => change({ kind })}
        />
      </div>
      {isEmpty && (
        <Empty title={Object.keys(filters).length > 0 ? 'No declaration fits these filters' : 'No declarations yet'}>
          <p>What customers declare on the exit page of a flow is shown here. Open one on the page of the flow.</p>
        </Empty>
      )}
      {!isEmpty && <DeclarationsTable pages={list.pages} flows={flows} />}
      <MoreOf list={list} />
    </Page>
  );
}

/** Whether it is done, or should be by now. */
function StateBadge({ declaration }: { declaration: Declaration }) {
  if (declaration.done_at !== null) return <Badge status="done" />;
  return isOverdue(declaration, Date.now()) ? <Badge status="due" /> : null;
}

function DeclarationsTable({ pages, flows }: { pages: Declaration[][]; flows: Map<string, string> }) {
  return (
    <Table
      label="Table of declarations"
      caption="Declarations, newest first"
      columns={['Number', 'Declaration', 'Contract', 'Customer', 'Due', 'Received']}
    >
      {pages.map((declarations) => (
        <tbody key={declarations[0]?.id}>
          {declarations.map((declaration) => (
            <tr key={declaration.id}>
              <td class="short">
                <a href={href(`/declarations/${declaration.id}`)}>{declaration.number}</a>
              </td>
              <td class="short">
                {declarationIn(declaration)}
                <div class="soft">{flows.get(declaration.flow_id)}</div>
              </td>
              <td class="named">{declaration.contract}</td>
              <td class="named">{declaration.name ?? <span class="soft">erased</span>}</td>
              <td>
                {dueIn(declaration)} <StateBadge declaration={declaration} />
              </td>
              <td class="short">
                <Time value={declaration.declared_at} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}
