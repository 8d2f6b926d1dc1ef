import type { BillingConnection, Query } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { ANONYMOUS } from '../sessions/words';
import { Badge } from '../ui/badge';
import { Empty } from '../ui/empty';
import { Select } from '../ui/field';
import { useFlowNames } from '../ui/flow-names';
import { useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { MoreOf, usePages } from '../ui/pages';
import { Time } from '../ui/time';
import { CarryOut } from './carry-out';
import { readConnection } from './connection';
import { EndingSoon } from './ending-soon';
import { FulfilmentWords } from './fulfilment';

type State = NonNullable<Query<'sessions_list'>['fulfilment']>;

const FILTERS: [State, string][] = [
  ['attention', 'Needs a person'],
  ['pending', 'In a moment'],
  ['applied', 'Done'],
  ['dry_run', 'Dry run'],
];

/** What billing did for customers, and above all what a person has to do. */
export function BillingPage({ query }: PageProps) {
  const { client, isOwner } = useSession();
  const state = FILTERS.find(([known]) => known === query.get('state'))?.[0] ?? 'attention';
  const flows = useFlowNames();
  const connection = useLoading((signal) => readConnection(client, signal), []);
  const list = usePages(
    async (cursor, signal) => {
      const page = await client.sessions.list({ fulfilment: state, limit: 50, ...(cursor && { cursor }) }, { signal });
      return { items: page.sessions, next_cursor: page.next_cursor };
    },
    [state],
  );
  const isEmpty = !list.isLoading && list.error === undefined && list.pages.every((page) => page.length === 0);
  return (
    <Page title="Billing">
      <Connection connection={connection.value} />
      <EndingSoon key={state} />
      <div class="filters">
        <Select
          name="state"
          label="Shown"
          options={FILTERS}
          value={state}
          onInput={(chosen) => replace('/billing', { state: chosen === 'attention' ? '' : chosen })}
        />
      </div>
      {isOwner && connection.value?.mode === 'live' && state === 'dry_run' && <CarryOut onDone={list.reload} />}
      {isEmpty && (
        <Empty title={state === 'attention' ? 'Nothing waits for a person' : 'There is none'}>
          <p>What billing does after an accepted offer, or after a cancellation, is listed here.</p>
        </Empty>
      )}
      {!isEmpty && (
        <ul class="fulfilments" aria-label="Sessions">
          {list.pages.flat().map((session) => (
            <li key={session.id} class="card">
              <div class="card-head">
                <h2>{session.accepted_offer?.name ?? (session.status === 'saved' ? 'Stays' : 'Cancellation')}</h2>
                <Badge status={session.fulfilment.state} />
              </div>
              <p class="fulfilment-about">
                {session.customer_id ?? ANONYMOUS} · {flows?.get(session.flow_id) ?? '…'} ·{' '}
                <a href={href(`/sessions/${session.id}`)}>
                  Session of <Time value={session.created_at} />
                </a>
              </p>
              <FulfilmentWords session={session} onChange={list.reload} />
            </li>
          ))}
        </ul>
      )}
      <MoreOf list={list} />
    </Page>
  );
}

/** What is to be known of the connection. Nothing, if it is live and all is well. */
function Connection({ connection }: { connection: BillingConnection | null | undefined }) {
  if (connection === undefined) return null;
  const settings = <a href={href('/settings')}>Settings</a>;
  if (connection === null) return <p class="notice warning">No billing system is connected: see {settings}.</p>;
  if (!connection.is_readable) return <p class="notice error">The key of Stripe can’t be read: see {settings}.</p>;
  if (connection.attention === 'key_refused') {
    return <p class="notice error">Stripe refuses the key, so decisions wait. Set another key: see {settings}.</p>;
  }
  if (connection.mode === 'live') return null;
  return <p class="notice warning">Dry run: nothing is sent to Stripe until you change that in {settings}.</p>;
}
