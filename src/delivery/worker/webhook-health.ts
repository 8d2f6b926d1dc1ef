import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Counter } from 'prom-client';
import { groupBy } from '../../common/group-by';
import { Metrics } from '../../common/metrics';
import { jsonRows } from '../../database/json-rows';
import { NOW, readTime } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { Outbox } from '../../events/outbox.service';
import type { Attempt } from './attempt-result';

/** After so long with nothing but failures a webhook is disabled. */
const HOURS_TO_LIVE = 120;

const GONE = 'It answered 410 Gone.';
const DEAD = `Every attempt failed for ${HOURS_TO_LIVE} hours.`;

/** Keeps count of failures, and disables webhooks that don't work. */
@Injectable()
export class WebhookHealth {
  private readonly disabled: Counter;

  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    metrics: Metrics,
  ) {
    this.disabled = metrics.counter('webhooks_disabled_total', 'Webhooks that were disabled because they failed', [
      'reason',
    ]);
    // A series that begins with its first event has no increase.
    for (const reason of ['gone', 'failing']) this.disabled.inc({ reason }, 0);
  }

  async note(workspaceId: string, attempts: Attempt[]): Promise<void> {
    const counted = attempts.filter(({ isCounted }) => isCounted);
    const gone = counted.filter(({ isGone }) => isGone);
    const seen = [...groupBy(counted, ({ webhook_id }) => webhook_id)].map(([webhook_id, own]) => ({
      webhook_id,
      failures: own.filter(({ outcome }) => outcome !== 'delivered').length,
      has_succeeded: own.some(({ outcome }) => outcome === 'delivered'),
    }));
    if (seen.length === 0) return;
    const disabled = await this.transactions.run(async (manager) => {
      const dead = await count(workspaceId, seen, manager);
      return {
        gone: await this.disable(workspaceId, gone, GONE, manager),
        dead: await this.disable(workspaceId, dead, DEAD, manager),
      };
    });
    if (disabled.gone) this.disabled.inc({ reason: 'gone' }, disabled.gone);
    if (disabled.dead) this.disabled.inc({ reason: 'failing' }, disabled.dead);
  }

  /** Disables webhooks, except those that have got another URL since. */
  private async disable(
    workspaceId: string,
    webhooks: Pick<Attempt, 'webhook_id' | 'url'>[],
    reason: string,
    manager: EntityManager,
  ): Promise<number> {
    if (webhooks.length === 0) return 0;
    const [disabled] = await manager.query<[{ id: string; description: string }[], number]>(
      `UPDATE webhooks SET status = 'disabled', disabled_reason = $3, updated_at = ${NOW}
        FROM ${jsonRows('$2', 'webhook_id uuid, url text')} AS failed
        WHERE workspace_id = $1 AND id = webhook_id AND webhooks.url = failed.url AND status = 'enabled'
        RETURNING id, description`,
      [workspaceId, JSON.stringify(webhooks.map(({ webhook_id, url }) => ({ webhook_id, url }))), reason],
    );
    for (const { id, description } of disabled) {
      await this.outbox.append(
        workspaceId,
        { type: 'webhook.disabled', data: { webhook_id: id, description, reason } },
        manager,
      );
    }
    return disabled.length;
  }
}

interface Seen {
  webhook_id: string;
  failures: number;
  has_succeeded: boolean;
}

/** Adds to the failures of webhooks, or forgets them after a success. Returns the webhooks that have failed for too long. */
async function count(
  workspaceId: string,
  seen: Seen[],
  manager: EntityManager,
): Promise<Pick<Attempt, 'webhook_id' | 'url'>[]> {
  const time = await readTime(manager);
  const [rows] = await manager.query<[{ webhook_id: string; url: string; is_dead: boolean }[], number]>(
    `UPDATE webhooks SET
        failures = CASE WHEN has_succeeded THEN 0 ELSE webhooks.failures + seen.failures END,
        failing_since = CASE WHEN has_succeeded THEN NULL ELSE coalesce(failing_since, $3) END,
        next_probe_at = CASE WHEN has_succeeded THEN NULL ELSE next_probe_at END
      FROM ${jsonRows('$1', 'webhook_id uuid, failures integer, has_succeeded boolean')} AS seen
      WHERE workspace_id = $2 AND id = webhook_id AND NOT (has_succeeded AND webhooks.failures = 0)
      RETURNING webhook_id, url, $3 - failing_since >= interval '${HOURS_TO_LIVE} hours' AS is_dead`,
    [JSON.stringify(seen), workspaceId, time],
  );
  return rows.filter(({ is_dead }) => is_dead);
}
