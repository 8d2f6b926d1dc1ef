import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Page, readNewest } from '../common/pagination';
import { Problem } from '../common/problem';
import { Transactions } from '../database/transactions';
import { ManagementLimits } from '../database/management-limits.service';
import { NOW } from '../database/time';
import { Event } from '../events/event.entity';
import { DELIVERY_COLUMNS, due, DUE_FIRST, isFor } from './delivery-statements';
import { Delivery } from './delivery.entity';
import type { EventRecord, ListEventsQuery } from './dto/event.dto';
import { EventBodies } from './event-bodies.service';
import { DeliveryWorker } from './worker/delivery-worker';
import type { Recipient } from './worker/attempt';

/**
 * $1 workspace, $2 event. Makes an event due now for every enabled webhook that asks for it, delivered or not, and a test for
 * its own. A pending delivery keeps the number of its attempts, so that one that is under way can end it.
 */
const REDELIVER = `
  INSERT INTO deliveries (${DELIVERY_COLUMNS})
  SELECT ${due('event', 'webhook', 'webhook', `CASE WHEN event.type = 'test' THEN ${DUE_FIRST} ELSE ${NOW} END`)}
  FROM events event JOIN webhooks webhook ON webhook.workspace_id = event.workspace_id
  WHERE event.workspace_id = $1 AND event.id = $2 AND ${isFor('webhook', 'event')}
    AND (webhook.status = 'enabled' OR (event.type = 'test' AND event.data ->> 'webhook_id' = webhook.id::text))
  ORDER BY webhook.id
  FOR KEY SHARE OF event, webhook
  ON CONFLICT (workspace_id, event_id, recipient_id) DO UPDATE
    SET status = 'pending', next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at,
      attempts = CASE WHEN deliveries.status = 'pending' THEN deliveries.attempts ELSE 0 END
  RETURNING workspace_id, recipient_id AS id, transport`;

/** What happened in a workspace, and where it was sent. */
@Injectable()
export class EventsService {
  constructor(
    @InjectRepository(Event) private readonly events: Repository<Event>,
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    private readonly bodies: EventBodies,
    private readonly worker: DeliveryWorker,
    private readonly transactions: Transactions,
    private readonly limits: ManagementLimits,
  ) {}

  list(workspaceId: string, { type, flow_session_id, ...page }: ListEventsQuery): Promise<Page<Event>> {
    const filters = { ...(type && { type }), ...(flow_session_id && { flow_session_id }) };
    const where = { workspace_id: workspaceId, ...filters };
    return this.limits.long.run(workspaceId, () => readNewest(this.events, where, page));
  }

  /** An event with its deliveries. */
  async get(workspaceId: string, id: string): Promise<EventRecord> {
    const event = await this.find(workspaceId, id);
    const deliveries = await this.deliveries.find({
      where: { workspace_id: workspaceId, event_id: id, transport: 'webhook' },
      order: { recipient_id: 'ASC' },
    });
    const [body] = await this.bodies.of(workspaceId, [event]);
    return { event, deliveries, body: body ?? null };
  }

  /** Sends an event again, and returns to how many webhooks. */
  async redeliver(workspaceId: string, id: string): Promise<number> {
    await this.find(workspaceId, id);
    this.worker.requireSending();
    const webhooks = await this.transactions.run((manager) => manager.query<Recipient[]>(REDELIVER, [workspaceId, id]));
    this.worker.wake(webhooks);
    return webhooks.length;
  }

  private async find(workspaceId: string, id: string): Promise<Event> {
    const event = await this.events.findOneBy({ workspace_id: workspaceId, id });
    if (!event) throw new Problem('not_found');
    return event;
  }
}
