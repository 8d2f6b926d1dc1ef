import type { DeliveryListItem } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Select } from '../ui/field';
import { counted } from '../ui/format';
import { MoreOf, type Pages } from '../ui/pages';
import { toast } from '../ui/toast';
import { DeliveryRow } from './delivery-row';

const STATUSES: [status: string, name: string][] = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
];

/** The statuses that deliveries can be filtered by, or undefined for all. */
export function deliveryStatus(query: URLSearchParams): DeliveryListItem['status'] | undefined {
  const status = query.get('status') ?? '';
  return (STATUSES.some(([known]) => known === status) && status ? status : undefined) as DeliveryListItem['status'];
}

interface DeliveriesProps {
  webhookId: string;
  status: DeliveryListItem['status'] | undefined;
  list: Pages<DeliveryListItem>;
  /** What to do once an event is on its way again. */
  onRedelivered: (eventId: string) => void;
  onRecover: (() => void) | undefined;
}

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhookId, status, list, onRedelivered, onRecover }: DeliveriesProps) {
  const { client } = useSession();
  const [asked, setAsked] = useState<DeliveryListItem>();
  const isEmpty = list.pages.every((page) => page.length === 0);
  const redeliver = async ({ event_id }: DeliveryListItem) => {
    const { deliveries } = await client.events.redeliver(event_id);
    toast(`The event is sent again to ${counted(deliveries, 'webhook')}.`);
    onRedelivered(event_id);
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Deliveries</h2>
        <div class="actions">
          <button type="button" class="quiet small" onClick={list.reload}>
            Refresh
          </button>
          {onRecover && (
            <button type="button" class="quiet small" onClick={onRecover}>
              Send what was missed
            </button>
          )}
        </div>
      </div>
      <div class="filters">
        <Select
          name="status"
          label="Status"
          options={STATUSES}
          value={status ?? ''}
          onInput={(chosen) => replace(`/webhooks/${webhookId}`, { status: chosen })}
        />
      </div>
      {isEmpty && !list.isLoading && list.error === undefined && (
        <p class="waiting">{status === undefined ? 'Nothing was sent yet.' : `None is ${status}.`}</p>
      )}
      {!isEmpty && (
        <ul class="deliveries">
          {list.pages.flat().map((delivery) => (
            <DeliveryRow key={delivery.event_id} delivery={delivery} onRedeliver={() => setAsked(delivery)} />
          ))}
        </ul>
      )}
      <MoreOf list={list} />
      {asked && (
        <Confirm
          title="Send this event again?"
          verb="Send again"
          onConfirm={() => redeliver(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked.type === 'test' ? (
            <p>The test is sent once more.</p>
          ) : (
            <p>
              It goes to every enabled webhook that asks for {asked.type}, also to those that have it already, each time
              with the same webhook-id.
            </p>
          )}
        </Confirm>
      )}
    </section>
  );
}
