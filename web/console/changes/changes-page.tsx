import type { Change } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Download } from '../ui/download';
import { Empty } from '../ui/empty';
import { filtersOf } from '../ui/filters';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { ChangeFilters, FILTERS, type Filters } from './change-filters';
import { ACTIONS, detailsIn } from './change-words';

const PER_PAGE = 100;

/** Who changed what, and when. */
export function ChangesPage({ query }: PageProps) {
  const { client } = useSession();
  const filters = filtersOf(query, FILTERS);
  const list = usePages(
    async (cursor, signal) => {
      const { changes, next_cursor } = await client.changes.list({ ...filters, cursor, limit: PER_PAGE }, { signal });
      return { items: changes, next_cursor };
    },
    [query.toString()],
  );
  const isEmpty = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);
  return (
    <Page
      title="Changes"
      actions={<Download name="changes.csv" load={(signal) => client.changes.csv(filters, { signal })} />}
    >
      <ChangeFilters filters={filters} changes={list.pages.flat()} />
      {isEmpty && (
        <Empty title="No change fits these filters">
          <a href={href('/changes')}>Show all changes</a>
        </Empty>
      )}
      {list.pages.some((page) => page.length > 0) && <ChangesTable pages={list.pages} filters={filters} />}
      <MoreOf list={list} />
    </Page>
  );
}

function ChangesTable({ pages, filters }: { pages: Change[][]; filters: Filters }) {
  return (
    <Table label="Table of changes" caption="Changes, newest first" class="changes" columns={['When', 'Who', 'What']}>
      {pages.map((changes) => (
        <tbody key={changes[0]?.id}>
          {changes.map((change) => (
            <ChangeRow key={change.id} change={change} filters={filters} />
          ))}
        </tbody>
      ))}
    </Table>
  );
}

function ChangeRow({ change: { at, actor, action, subject, details }, filters }: { change: Change; filters: Filters }) {
  const more = detailsIn(details);
  return (
    <tr>
      <td class="short">
        <Time value={at} />
      </td>
      <td class="named">
        <Only name={actor.name} filters={filters} by="actor" id={actor.id} />
        {actor.type === 'api_key' && <p class="soft">API key</p>}
      </td>
      <td class="named">
        {ACTIONS[action]} <Only name={subject.name} filters={filters} by="subject" id={subject.id} />
        {more && <p class="soft">{more}</p>}
      </td>
    </tr>
  );
}

interface OnlyProps {
  name: string;
  filters: Filters;
  by: 'actor' | 'subject';
  id: string | null;
}

/** A name that leads to the changes by, or of, whatever has it. */
function Only({ name, filters, by, id }: OnlyProps) {
  return id === null ? <>{name}</> : <a href={href('/changes', { ...filters, [by]: id })}>{name}</a>;
}
