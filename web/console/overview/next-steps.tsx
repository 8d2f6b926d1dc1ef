import type { RetentionFlow, WorkspaceStats } from '@retention-flow/client';
import { readConnection } from '../billing/connection';
import { href } from '../shell/route';
import { counted } from '../ui/format';

type Flows = WorkspaceStats['flows'];

/** A flow in which offers were accepted that nobody is told of. */
export interface Unheard {
  id: string;
  name: string;
  accepted: number;
}

/** The flows whose accepted offers reach nobody: billing doesn't apply them, no webhook takes them, and no mail is sent about them. */
export async function readUnheard(client: RetentionFlow, flows: Flows, signal: AbortSignal): Promise<Unheard[]> {
  const accepting = flows
    .map(({ flow_id: id, name, offers }) => ({
      id,
      name,
      accepted: offers.reduce((sum, one) => sum + one.accepted, 0),
    }))
    .filter(({ accepted }) => accepted > 0);
  if (accepting.length === 0) return [];
  if ((await readConnection(client, signal))?.mode === 'live') return [];
  for await (const { status, event_types } of client.webhooks.list({ limit: 100 }, { signal })) {
    const takesSaved = event_types.length === 0 || event_types.includes('session.saved');
    if (status === 'enabled' && takesSaved) return [];
  }
  const known = await Promise.all(accepting.map(({ id }) => client.flows.get(id, { signal })));
  return accepting.filter((_, index) => known[index].notification_email === null);
}

/** How many sessions wait for a person to do what billing could not, up to so many. */
export async function countWaiting(client: RetentionFlow, signal: AbortSignal): Promise<number> {
  const { sessions } = await client.sessions.list({ fulfilment: 'attention', limit: MOST_COUNTED }, { signal });
  return sessions.length;
}

const MOST_COUNTED = 100;

/** What to do next, if customers wait for something. */
export function NextSteps({ unheard, waiting }: { unheard: Unheard[]; waiting: number }) {
  return (
    <>
      {waiting > 0 && (
        <p class="notice warning">
          <a href={href('/billing')}>
            {waiting < MOST_COUNTED ? counted(waiting, 'customer') : `${MOST_COUNTED} customers or more`}
          </a>{' '}
          {waiting === 1 ? 'waits' : 'wait'} for you: billing could not do what they decided.
        </p>
      )}
      <NobodyTold unheard={unheard} />
    </>
  );
}

function NobodyTold({ unheard }: { unheard: Unheard[] }) {
  if (unheard.length === 0) return null;
  const accepted = unheard.reduce((sum, flow) => sum + flow.accepted, 0);
  return (
    <section class="notice warning" aria-labelledby="next">
      <h2 id="next">Customers accepted {counted(accepted, 'offer')} in these days, and nobody is told</h2>
      <p>
        To give them what they accepted, <a href={href('/settings')}>connect Stripe</a>,{' '}
        <a href={href('/webhooks')}>add a webhook</a>, or let the flow send you a mail:{' '}
        {unheard.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <a href={href(`/flows/${id}/edit`)}>{name}</a>
          </span>
        ))}
        .
      </p>
    </section>
  );
}
