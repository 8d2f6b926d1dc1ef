import type { DeliveryListItem } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { counted } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';

interface DeliveryRowProps {
  delivery: DeliveryListItem;
  onRedeliver: () => void;
}

export function DeliveryRow({ delivery, onRedeliver }: DeliveryRowProps) {
  const { isOwner } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { status, type, attempts, last_status, last_error, next_attempt_at } = delivery;
  return (
    <li class="delivery">
      <div class="delivery-head">
        <Badge status={status} />
        <div class="delivery-what">
          <strong>{type}</strong> <Time value={delivery.created_at} />
          <p class="soft">
            {attempts === 0 ? 'Not tried yet' : counted(attempts, 'attempt')}
            {last_status !== null && `, answered ${last_status}`}
            {next_attempt_at !== null && (
              <>
                , next at <Time value={next_attempt_at} />
              </>
            )}
          </p>
          {last_error !== null && <p class="delivery-error">{last_error}</p>}
        </div>
        <div class="actions">
          <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Details<span class="unseen"> of {type}</span>
          </button>
          {isOwner && (
            <button type="button" class="quiet small" onClick={onRedeliver}>
              Send again<span class="unseen">: {type}</span>
            </button>
          )}
        </div>
      </div>
      {isOpen && <DeliveryDetails delivery={delivery} />}
    </li>
  );
}

function DeliveryDetails({ delivery: { event_id, type, flow_session_id } }: { delivery: DeliveryListItem }) {
  const { client } = useSession();
  const loading = useLoading((signal) => client.events.get(event_id, { signal }), [event_id]);
  return (
    <div class="delivery-details">
      <p class="soft">
        webhook-id <code>{event_id}</code>
        {flow_session_id !== null && type !== 'test' && (
          <>
            {' · '}
            <a href={href(`/sessions/${flow_session_id}`)}>To the session</a>
          </>
        )}
      </p>
      <Loaded loading={loading}>
        {({ body }) =>
          body === null ? (
            <p>The session that it tells of is gone, and with it the body.</p>
          ) : (
            <pre tabIndex={0} role="region" aria-label="Body, as it would be sent now">
              {JSON.stringify(body, null, 2)}
            </pre>
          )
        }
      </Loaded>
    </div>
  );
}
