import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { statement } from '../../platform/database/transaction/statement';
import { Age } from '../../platform/metrics/age';
import { Metrics } from '../../platform/metrics/metrics';
import { Jobs } from '../../platform/database/queue/jobs.service';
import { NOW } from '../../platform/database/time';
import { DUE_FIRST } from './delivery-statements';
import { type TransportName, TRANSPORTS } from './delivery.entity';
import { waitsFor } from './delivery-queue';

const EVERY_MS = 10_000;

/**
 * Waiting deliveries of all workspaces. The oldest due delivery is one that could be sent: not behind an earlier event
 * of the same session, and not before its webhook may get the next attempt. Mails about a session have no earlier ones.
 */
const BACKLOG = statement(`
  SELECT outbox, pending, webhook, mail, disabled
  FROM (SELECT count(*)::integer AS outbox FROM outbox) AS entries
  CROSS JOIN (SELECT count(*)::integer AS pending FROM deliveries WHERE status = 'pending') AS waiting
  CROSS JOIN (
    SELECT greatest(extract(epoch FROM ${NOW} - min(greatest(due.next_attempt_at, webhook.next_probe_at))), 0)::float AS webhook,
      count(*) FILTER (WHERE status = 'disabled')::integer AS disabled
    FROM webhooks AS webhook LEFT JOIN LATERAL (
      SELECT next_attempt_at FROM deliveries AS delivery
      WHERE workspace_id = webhook.workspace_id AND recipient_id = webhook.id AND delivery.status = 'pending'
        AND next_attempt_at BETWEEN ${DUE_FIRST} + interval '1 day' AND ${NOW}
        AND webhook.status = 'enabled' AND ${waitsFor('delivery')} IS NULL
      ORDER BY next_attempt_at LIMIT 1
    ) AS due ON true
  ) AS webhooks
  CROSS JOIN (
    SELECT greatest(extract(epoch FROM ${NOW} - min(next_attempt_at)), 0)::float AS mail
    FROM deliveries WHERE transport = 'mail' AND status = 'pending'
  ) AS mails`);

/** Numbers, and of each transport how many seconds the oldest one is overdue. */
type Measured = Record<'outbox' | 'pending' | 'disabled' | TransportName, number>;

/**
 * Measures what waits to be sent, for the metrics. It is the same in all processes with `BACKGROUND_JOBS`, and at most
 * 10 s old.
 */
@Injectable()
export class Backlog {
  private now: Measured = { outbox: 0, pending: 0, webhook: 0, mail: 0, disabled: 0 };

  constructor(connections: ConnectionPool, metrics: Metrics, jobs: Jobs) {
    const ages = { webhook: new Age(), mail: new Age() };
    metrics.labeledGauge(
      'deliveries_oldest_due_seconds',
      'How long the oldest delivery is overdue that could be sent',
      ['transport'],
      (gauge) => {
        for (const transport of TRANSPORTS) gauge.set({ transport }, ages[transport].seconds);
      },
    );
    const read = async () => (await connections.rows<Measured>(BACKLOG))[0];
    const measure = async () => {
      const readMails = () => ages.mail.look(read, ({ mail }) => (mail > 0 ? [mail] : []));
      this.now = await ages.webhook.look(readMails, ({ webhook }) => (webhook > 0 ? [webhook] : []));
      return false;
    };
    jobs.add({ name: 'Measuring the backlog', everyMs: EVERY_MS, run: measure });
    metrics.gauge('outbox_entries', 'What happened and is not an event yet', () => this.now.outbox);
    metrics.gauge('deliveries_pending', 'Deliveries that wait for an attempt', () => this.now.pending);
    metrics.gauge('webhooks_disabled', 'Webhooks that are disabled', () => this.now.disabled);
  }
}
