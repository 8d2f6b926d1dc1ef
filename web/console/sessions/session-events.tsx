import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';

/** The events of a session with their deliveries, read once somebody opens them. */
export function SessionEvents({ sessionId }: { sessionId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="card events" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Events and deliveries</summary>
      {isOpen && <Events sessionId={sessionId} />}
    </details>
  );
}

function Events({ sessionId }: { sessionId: string }) {
  const { client } = useSession();
  const loading = useLoading(
    async (signal) => {
      const { events } = await client.events.list({ flow_session_id: sessionId }, { signal });
      return Promise.all(events.map(({ id }) => client.events.get(id, { signal })));
    },
    [sessionId],
  );
  return (
    <Loaded loading={loading}>
      {(events) =>
        events.length === 0 ? (
          <p class="soft">
            There are no events. They are listed a moment after they happen, and deleted when they are old.
          </p>
        ) : (
          <ul class="event-list">
            {events.map(({ id, type, created_at, deliveries }) => (
              <li key={id}>
                <div class="card-head">
                  <code>{type}</code>
                  <Time value={created_at} />
                </div>
                {deliveries.length === 0 && <p class="soft">No webhook was subscribed to it.</p>}
                {deliveries.map((delivery) => (
                  <p key={delivery.webhook_id}>
                    <Badge status={delivery.status} />{' '}
                    <a href={href(`/webhooks/${delivery.webhook_id}`)}>Webhook {delivery.webhook_id.slice(-8)}</a>{' '}
                    {delivery.last_error !== null && <span class="soft">{delivery.last_error}</span>}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
