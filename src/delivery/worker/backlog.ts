import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../../common/metrics';
import { Config } from '../../config';
import { NOW } from '../../database/time';
import { Loop } from '../../database/loop';
import { DUE_FIRST } from '../delivery-statements';
import { waits } from './worker-statements';

const INTERVAL_MS = 10_000;

/**
 * What waits, in all workspaces. The oldest due delivery is one that could be sent: not to a webhook that fails all the time,
 * and not behind an earlier event of the same session.
 */
const BACKLOG = `
  SELECT outbox, pending, oldest_due, disabled
  FROM (SELECT count(*)::integer AS outbox FROM outbox) AS entries
  CROSS JOIN (SELECT count(*)::integer AS pending FROM deliveries WHERE status = 'pending') AS waiting
  CROSS JOIN (
    SELECT coalesce(extract(epoch FROM ${NOW} - min(due.next_attempt_at)), 0)::float AS oldest_due,
      count(*) FILTER (WHERE status = 'disabled')::integer AS disabled
    FROM webhooks AS webhook LEFT JOIN LATERAL (
      SELECT next_attempt_at FROM deliveries AS delivery
      WHERE workspace_id = webhook.workspace_id AND webhook_id = webhook.id AND delivery.status = 'pending'
        AND next_attempt_at BETWEEN ${DUE_FIRST} + interval '1 day' AND ${NOW}
        AND webhook.status = 'enabled' AND webhook.next_probe_at IS NULL AND NOT ${waits('delivery')}
      ORDER BY next_attempt_at LIMIT 1
    ) AS due ON true
  ) AS due`;

/** Measures what waits to be sent, for the metrics. It is the same in all processes that deliver, and at most 10 s old. */
@Injectable()
export class Backlog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new Loop('Backlog', INTERVAL_MS, () => this.measure());
  private now = { outbox: 0, pending: 0, oldest_due: 0, disabled: 0 };

  constructor(
    private readonly config: Config,
    private readonly dataSource: DataSource,
    metrics: Metrics,
  ) {
    metrics.gauge('outbox_entries', 'What happened and is not an event yet', () => this.now.outbox);
    metrics.gauge('deliveries_pending', 'Deliveries that wait for an attempt', () => this.now.pending);
    metrics.gauge(
      'deliveries_oldest_due_seconds',
      'How long the oldest delivery is overdue that could be sent',
      () => this.now.oldest_due,
    );
    metrics.gauge('webhooks_disabled', 'Webhooks that are disabled', () => this.now.disabled);
  }

  onApplicationBootstrap(): void {
    if (this.config.eventWorkers > 0) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async measure(): Promise<void> {
    [this.now] = await this.dataSource.query<(typeof this.now)[]>(BACKLOG);
  }
}
