import type { RetentionFlow, WorkspaceStats } from '@retention-flow/client';
import { href } from '../shell/route';
import { counted } from '../ui/format';

type Flows = WorkspaceStats['flows'];

/** A flow in which offers were accepted that nobody is told of. */
export interface Unheard {
  id: string;
  name: string;
  accepted: number;
}

/** The flows whose accepted offers reach nobody: no webhook takes saved sessions, and no mail is sent about them. */
export async function readUnheard(client: RetentionFlow, flows: Flows, signal: AbortSignal): Promise<Unheard[]> {
  const accepting = flows
    .map(({ flow_id: id, name, offers }) => ({
      id,
      name,
      accepted: offers.reduce((sum, one) => sum + one.accepted, 0),
    }))
    .filter(({ accepted }) => accepted > 0);
  if (accepting.length === 0) return [];
  for await (const { status, event_types } of client.webhooks.list({ limit: 100 }, { signal })) {
    const takesSaved = event_types.length === 0 || event_types.includes('session.saved');
    if (status === 'enabled' && takesSaved) return [];
  }
  const known = await Promise.all(accepting.map(({ id }) => client.flows.get(id, { signal })));
  return accepting.filter((_, index) => known[index].notification_email === null);
}

/** What to do next, if customers wait for something. */
export function NextSteps({ unheard }: { unheard: Unheard[] }) {
  if (unheard.length === 0) return null;
  const accepted = unheard.reduce((sum, flow) => sum + flow.accepted, 0);
  return (
    <section class="notice warning" aria-labelledby="next">
      <h2 id="next">Customers accepted {counted(accepted, 'offer')} in these days, and nobody is told</h2>
      <p>
        To give them what they accepted, <a href={href('/webhooks')}>add a webhook</a>, or let the flow send you a mail:{' '}
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
