import { Injectable } from '@nestjs/common';
import { ErasedWithSessions, SessionErasure } from '../../sessions/session-erasure';
import { firstIdAt } from '../../platform/api/ids';
import { type Page, readPage } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { type Statement, statement } from '../../platform/database/transaction/statement';
import { NOW, readTime } from '../../platform/database/time';
import type { EventType } from '../../outbox/event-types';
import { EVENT_ID } from '../../outbox/outbox.service';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { type Wanted, wantedBy } from '../conditions';
import { DELIVERY_COLUMNS, due, DUE_FIRST, isFor } from './delivery-statements';
import type { ListDeliveriesQuery, ListedDelivery, RecoverDto } from './delivery.dto';
import { Webhook } from '../webhooks/webhook.entity';
import { WebhooksService } from '../webhooks/webhooks.service';
import { DeliveryWorker } from './delivery-worker';

/** The most events that are looked through at a time. */
const RECOVERY_BATCH = 1000;

const LIST = statement(
  `SELECT event_id AS id, event_id, type, delivery.flow_session_id, status, attempts, last_status, last_error, next_attempt_at,
    delivery.created_at, updated_at
  FROM deliveries AS delivery
  JOIN events AS event ON event.workspace_id = :workspace AND event.id = event_id
  WHERE delivery.workspace_id = :workspace AND recipient_id = :webhook AND event_id < :before
    AND (:status::text IS NULL OR status = :status)
  ORDER BY event_id DESC LIMIT :take`,
);

/** Forgets the address of a receipt, which went to a customer. Every other mail went to the team. */
const FORGET_ADDRESS = 'address = CASE WHEN deliveries.recipient_id <> deliveries.event_id THEN address END';

const FORGET_SESSIONS = statement(
  `UPDATE deliveries SET last_error = NULL, ${FORGET_ADDRESS} FROM events
  WHERE events.workspace_id = :workspace AND events.flow_session_id = ANY (:sessions)
    AND deliveries.workspace_id = :workspace AND deliveries.event_id = events.id
    AND (deliveries.last_error IS NOT NULL OR deliveries.recipient_id = deliveries.event_id)`,
);

const FORGET_EVENT = statement(
  `UPDATE deliveries SET last_error = NULL, ${FORGET_ADDRESS} WHERE workspace_id = :workspace AND event_id = :event`,
);

/** Makes a test event with its delivery. */
const TEST = statement(
  `WITH webhook AS (
    SELECT workspace_id, id FROM webhooks WHERE workspace_id = :workspace AND id = :webhook FOR KEY SHARE
  ), event AS (
    INSERT INTO events (workspace_id, id, type, data, created_at)
    SELECT workspace_id, ${EVENT_ID}, 'test', jsonb_strip_nulls(jsonb_build_object('webhook_id', id, 'sample', :sample::text)),
      ${NOW} FROM webhook
    RETURNING workspace_id, id, flow_session_id
  )
  INSERT INTO deliveries (${DELIVERY_COLUMNS}) SELECT ${due('event', 'webhook', 'webhook', DUE_FIRST)} FROM event, webhook RETURNING event_id`,
);

/** Queues what was not delivered of the first of the events between two ids. */
function recovering(wanted: Wanted['sql']): Statement {
  return statement(`WITH batch AS MATERIALIZED (
    SELECT workspace_id, id FROM events
    WHERE workspace_id = :workspace AND id > :after AND id < :end ORDER BY id LIMIT ${RECOVERY_BATCH}
  ), queued AS (
    INSERT INTO deliveries (${DELIVERY_COLUMNS})
    SELECT ${due('event', 'webhook', 'webhook')}
    FROM batch
    JOIN events event ON event.workspace_id = :workspace AND event.id = batch.id
    JOIN webhooks webhook ON webhook.workspace_id = :workspace AND webhook.id = :webhook
    LEFT JOIN deliveries delivery ON delivery.workspace_id = :workspace AND delivery.event_id = event.id
      AND delivery.recipient_id = webhook.id
    WHERE webhook.status = 'enabled' AND event.type <> 'test' AND ${isFor(wanted)}
      AND coalesce(delivery.status, 'failed') = 'failed'
    ORDER BY event.id
    FOR KEY SHARE OF event, webhook SKIP LOCKED
    ON CONFLICT (workspace_id, event_id, recipient_id) DO UPDATE
      SET status = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at, last_status = NULL,
        last_error = NULL, updated_at = excluded.updated_at
      WHERE deliveries.status = 'failed'
    RETURNING event_id
  )
  SELECT (SELECT count(*) FROM queued)::integer AS queued, count(*)::integer AS looked,
    (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last
  FROM batch`);
}

/** Lists the deliveries to a webhook, and sends some again. */
@Injectable()
export class DeliveriesService extends ErasedWithSessions {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly webhooks: WebhooksService,
    private readonly worker: DeliveryWorker,
    private readonly limits: ManagementLimits,
    sessions: SessionErasure,
  ) {
    super(sessions);
  }

  /** The deliveries to a webhook, by the time of their events. */
  list(tenant: Tenant, webhookId: string, { status, ...page }: ListDeliveriesQuery): Promise<Page<ListedDelivery>> {
    return this.limits.long.run(tenant.workspaceId, async () => {
      await this.webhooks.get(tenant, webhookId);
      const reader = this.units.reader(tenant);
      return readPage(page, (before, take) =>
        reader.rows<ListedDelivery & { id: string }>(LIST, {
          webhook: webhookId,
          before,
          take,
          status: status ?? null,
        }),
      );
    });
  }

  /** Queues a test for a webhook, also for a disabled one, or a sample of another type. Returns the id of the event. */
  async test(tenant: Tenant, webhookId: string, type: EventType): Promise<string> {
    await this.webhooks.get(tenant, webhookId);
    this.worker.requireSending();
    const values = { webhook: webhookId, sample: type === 'test' ? null : type };
    const test = await this.units.run(tenant, (work) => work.row<{ event_id: string }>(TEST, values));
    if (!test) throw new Problem('not_found');
    this.wake(tenant, webhookId);
    return test.event_id;
  }

  /**
   * Queues what a webhook asks for and did not get, and returns how many deliveries that were. What is pending stays as
   * it is. It goes in batches; if it is cut short, the next call queues the rest.
   */
  async recover(tenant: Tenant, webhookId: string, request: RecoverDto): Promise<number> {
    const inTurn = <T>(work: () => Promise<T>) => this.limits.long.run(tenant.workspaceId, work);
    const span = await inTurn(async () => {
      const webhook = await this.webhooks.get(tenant, webhookId);
      const asked = await this.spanOf(tenant, request);
      this.worker.requireSending();
      if (webhook.status === 'disabled') throw new Problem('webhook_disabled');
      return asked;
    });
    let { after } = span;
    let batch: { queued: number; looked: number; last: string };
    let deliveries = 0;
    do {
      const recover = async (work: Work) => {
        // The conditions of now.
        const { when } = await work.get(Webhook, webhookId);
        const { sql, values } = wantedBy(when ? { [webhookId]: when } : {});
        return work.row<typeof batch>(recovering(sql), { ...values, webhook: webhookId, after, end: span.end });
      };
      batch = (await inTurn(() => this.units.run(tenant, recover)))!;
      if (batch.queued > 0) this.wake(tenant, webhookId);
      deliveries += batch.queued;
      after = batch.last;
    } while (batch.looked === RECOVERY_BATCH);
    return deliveries;
  }

  private wake({ workspaceId }: Tenant, webhookId: string): void {
    this.worker.wake([{ workspace_id: workspaceId, id: webhookId, transport: 'webhook' }]);
  }

  /** Deletes the errors of all deliveries about sessions: they may quote a response that repeats a customer's data. */
  async erase(work: Work, flowSessionIds: string[]): Promise<void> {
    await work.write(FORGET_SESSIONS, { sessions: flowSessionIds });
  }

  /** Forgets what the deliveries of an event say of an erased declaration. */
  async forgetEvent(work: Work, eventId: string): Promise<void> {
    await work.write(FORGET_EVENT, { event: eventId });
  }

  /** Events by their ids: those behind `after` and before `end`. */
  private async spanOf(tenant: Tenant, { since, until }: RecoverDto): Promise<{ after: string; end: string }> {
    const now = await readTime(this.units.reader(tenant).manager);
    const from = new Date(since);
    const to = until === undefined ? now : new Date(until);
    if (from > now) throw Problem.invalid([{ pointer: '/since', message: 'must not be in the future' }]);
    if (until !== undefined && to <= from)
      throw Problem.invalid([{ pointer: '/until', message: 'must be after since' }]);
    return { after: firstIdAt(from), end: firstIdAt(to) };
  }
}
