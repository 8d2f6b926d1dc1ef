import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { Page } from '../platform/api/paging/pagination';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { NOW } from '../platform/database/time';
import { Event } from './event.entity';
import { Webhook } from './webhooks/webhook.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { type Wanted, wantedBy } from './conditions';
import { DELIVERY_COLUMNS, due, DUE_FIRST, isFor } from './deliveries/delivery-statements';
import { Delivery } from './deliveries/delivery.entity';
import type { EventRecord, ListEventsQuery } from './dto/event.dto';
import { EventBodies } from './event-bodies.service';
import { DeliveryWorker } from './deliveries/delivery-worker';
import type { Recipient } from './deliveries/attempt-rules';

/**
 * Makes an event due now for every enabled webhook that asks for it, delivered or not, and a test for
 * its own. A pending delivery keeps the number of its attempts, so that one that is under way can end it.
 */
function redelivering(wanted: Wanted['sql']): Statement {
  return statement(`INSERT INTO deliveries (${DELIVERY_COLUMNS})
  SELECT ${due('event', 'webhook', 'webhook', `CASE WHEN event.type = 'test' THEN ${DUE_FIRST} ELSE ${NOW} END`)}
  FROM events event JOIN webhooks webhook ON webhook.workspace_id = event.workspace_id
  WHERE event.workspace_id = :workspace AND event.id = :event AND ${isFor(wanted)}
    AND (webhook.status = 'enabled' OR (event.type = 'test' AND event.data ->> 'webhook_id' = webhook.id::text))
  ORDER BY webhook.id
  FOR KEY SHARE OF event, webhook
  ON CONFLICT (workspace_id, event_id, recipient_id) DO UPDATE
    SET status = 'pending', next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at,
      attempts = CASE WHEN deliveries.status = 'pending' THEN deliveries.attempts ELSE 0 END
  RETURNING workspace_id, recipient_id AS id, transport`);
}

/** Lists events with their deliveries, and sends one again. */
@Injectable()
export class EventsService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly bodies: EventBodies,
    private readonly worker: DeliveryWorker,
    private readonly limits: ManagementLimits,
  ) {}

  list(tenant: Tenant, { type, flow_session_id, ...page }: ListEventsQuery): Promise<Page<Event>> {
    const where = { ...(type && { type }), ...(flow_session_id && { flow_session_id }) };
    const reader = this.units.reader(tenant);
    return this.limits.long.run(tenant.workspaceId, () => reader.page(Event, where, page));
  }

  /** An event with its deliveries. */
  async get(tenant: Tenant, id: string): Promise<EventRecord> {
    const reader = this.units.reader(tenant);
    const event = await reader.get(Event, id);
    const inOrder = { order: { recipient_id: 'ASC' as const } };
    const deliveries = await reader.find(Delivery, { event_id: id, transport: 'webhook' }, inOrder);
    const [body] = await this.bodies.of(reader, [event]);
    return { event, deliveries, body: body ?? null };
  }

  /** Sends an event again, and returns to how many webhooks. */
  async redeliver(tenant: Tenant, id: string): Promise<number> {
    await this.units.reader(tenant).get(Event, id);
    this.worker.requireSending();
    const webhooks = await this.units.run(tenant, async (work) => {
      const conditional = await work.find(Webhook, { when: Not(IsNull()) });
      const { sql, values } = wantedBy(Object.fromEntries(conditional.map(({ id, when }) => [id, when!])));
      return work.rows<Recipient>(redelivering(sql), { ...values, event: id });
    });
    this.worker.wake(webhooks);
    return webhooks.length;
  }
}
