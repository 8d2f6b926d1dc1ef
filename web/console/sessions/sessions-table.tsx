import type { SessionListItem } from '@retention-flow/client';
import { useMemo } from 'preact/hooks';
import { href } from '../shell/route';
import { Badge } from '../ui/badge';
import { Time } from '../ui/time';
import { numberColumn, Table } from '../ui/table';
import { duration } from './duration';
import { ANONYMOUS, ended, savedBy } from './words';

interface SessionsTableProps {
  pages: SessionListItem[][];
  flows: Map<string, string> | undefined;
}

export function SessionsTable({ pages, flows }: SessionsTableProps) {
  return (
    // It scrolls sideways, by keyboard too.
    <Table
      label="List of sessions"
      caption="Sessions, newest first"
      class="sessions"
      columns={['Started', 'Status', 'Customer', 'Answers', 'Flow', numberColumn('Duration')]}
    >
      {pages.map((page, index) => (
        <Rows key={index} page={page} flows={flows} />
      ))}
    </Table>
  );
}

/** A page of the list. It is drawn once, however many come after it. */
function Rows({ page, flows }: { page: SessionListItem[]; flows: Map<string, string> | undefined }) {
  return useMemo(
    () => (
      <tbody>
        {page.map((session) => (
          <Row key={session.id} session={session} flow={flows?.get(session.flow_id) ?? '…'} />
        ))}
      </tbody>
    ),
    [page, flows],
  );
}

function Row({ session, flow }: { session: SessionListItem; flow: string }) {
  const by = savedBy(session);
  return (
    <tr>
      <td class="when">
        <a href={href(`/sessions/${session.id}`)}>
          <Time value={session.created_at} />
        </a>
      </td>
      <td>
        <Badge status={session.status} />
        {by !== undefined && <div class="soft">{by}</div>}
      </td>
      <td class={session.customer_id === null ? 'soft' : undefined}>
        {session.customer_id ?? (session.source === 'demo' ? 'Demo page' : ANONYMOUS)}
      </td>
      <td>{session.answers.map(({ own_label }) => own_label).join(', ') || <span class="soft">None</span>}</td>
      <td>
        {flow} <span class="soft">v{session.flow_version}</span>
      </td>
      <td class="number when">{ended(session) ? duration(session.created_at, session.updated_at) : '–'}</td>
    </tr>
  );
}
