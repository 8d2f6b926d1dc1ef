import type { Query } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Download } from '../ui/download';
import { Empty } from '../ui/empty';
import { asked, filtersOf } from '../ui/filters';
import { useFlowNames } from '../ui/flow-names';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { FILTERS, SessionFilters } from './session-filters';
import { SessionsTable } from './sessions-table';

const PER_PAGE = 100;

export function SessionsPage({ query }: PageProps) {
  const { client } = useSession();
  const filters = filtersOf(query, FILTERS) as Query<'sessions_list'>;
  const flows = useFlowNames();
  const list = usePages(
    async (cursor, signal) => {
      const { sessions, next_cursor } = await client.sessions.list(
        { ...asked(filters), limit: PER_PAGE, ...(cursor && { cursor }) },
        { signal },
      );
      return { items: sessions, next_cursor };
    },
    [query.toString()],
  );
  const isEmpty = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Sessions"
      actions={<Download name="sessions.csv" load={(signal) => client.sessions.csv(asked(filters), { signal })} />}
    >
      <SessionFilters filters={filters} flows={flows} />
      {isEmpty && <NoSessions isFiltered={isFiltered} />}
      {list.pages.some((page) => page.length > 0) && <SessionsTable pages={list.pages} flows={flows} />}
      <MoreOf list={list} />
    </Page>
  );
}

function NoSessions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No session fits these filters">
        <a href={href('/sessions')}>Show all sessions</a>
      </Empty>
    );
  }
  return (
    <Empty title="No sessions yet">
      <p>
        A session begins when a customer who wants to cancel opens a published flow.{' '}
        <a href={href('/flows')}>To the flows</a>
      </p>
    </Empty>
  );
}
