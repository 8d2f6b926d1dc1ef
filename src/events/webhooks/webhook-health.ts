import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { groupBy } from '../../platform/common/group-by';
import { Metrics } from '../../platform/metrics/metrics';
import { jsonRows } from '../../platform/database/transaction/json-rows';
import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { MANY_FAILURES } from './webhook.entity';
import type { Result } from '../deliveries/attempt-rules';

/** How long a webhook may have nothing but failures before it is disabled. */
const HOURS_TO_LIVE = 120;

/** The receiver asked never to be called again. */
const GONE_STATUS = 410;
const GONE = 'It answered 410 Gone.';
const DEAD = `Every attempt failed for ${HOURS_TO_LIVE} hours.`;

const SEEN = jsonRows(
  ':results',
  'webhook_id uuid, address text, failures integer, has_succeeded boolean, is_gone boolean, limited_for double precision',
);

/**
 * Adds the failures seen to those of the webhooks, or resets them after a success. A webhook that limits has to wait.
 * One that is gone, or has failed for too long, is disabled. Results from an earlier URL are ignored.
 */
const NOTE = statement(
  `WITH noted AS (
    SELECT id,
      CASE WHEN has_succeeded THEN 0 ELSE webhook.failures + seen.failures END AS failures,
      CASE WHEN has_succeeded THEN NULL WHEN seen.failures > 0 THEN coalesce(failing_since, ${NOW}) ELSE failing_since END AS failing_since,
      CASE WHEN has_succeeded THEN NULL WHEN limited_for IS NOT NULL THEN coalesce(paused_since, ${NOW}) ELSE paused_since END AS paused_since,
      greatest(CASE WHEN has_succeeded AND webhook.failures >= ${MANY_FAILURES} THEN NULL ELSE next_probe_at END,
        ${NOW} + limited_for * interval '1 second') AS next_probe_at,
      CASE WHEN status = 'disabled' THEN NULL
        WHEN is_gone THEN '${GONE}'
        WHEN NOT has_succeeded AND seen.failures > 0 AND failing_since <= ${NOW} - interval '${HOURS_TO_LIVE} hours' THEN '${DEAD}' END AS reason
    FROM webhooks AS webhook
    JOIN ${SEEN} AS seen ON id = webhook_id AND url = address
    WHERE workspace_id = :workspace FOR NO KEY UPDATE OF webhook
  )
  UPDATE webhooks SET failures = noted.failures, failing_since = noted.failing_since,
    paused_since = noted.paused_since, next_probe_at = noted.next_probe_at,
    status = CASE WHEN reason IS NULL THEN status ELSE 'disabled' END,
    disabled_reason = coalesce(reason, disabled_reason),
    updated_at = CASE WHEN reason IS NULL THEN updated_at ELSE ${NOW} END
  FROM noted WHERE workspace_id = :workspace AND webhooks.id = noted.id
  RETURNING webhooks.id, url, description, reason`,
);

interface Noted {
  id: string;
  url: string;
  description: string;
  /** Why it was disabled now; null if it was not. */
  reason: string | null;
}

/** Keeps count of failures, and disables webhooks that don't work. */
@Injectable()
export class WebhookHealth {
  private readonly disabled: Counter;

  constructor(
    private readonly units: UnitsOfWork,
    metrics: Metrics,
  ) {
    this.disabled = metrics.counter('webhooks_disabled_total', 'Webhooks that were disabled because they failed', [
      'reason',
    ]);
    // A series that begins with its first event has no increase.
    for (const reason of ['gone', 'failing']) this.disabled.inc({ reason }, 0);
  }

  async note(workspaceId: string, results: Result[]): Promise<void> {
    const counted = results.filter(({ claim, isCounted }) => claim.target.transport === 'webhook' && isCounted);
    const byAddress = groupBy(counted, ({ claim: { target } }) => `${target.id} ${target.address}`);
    const seen = [...byAddress.values()].map((own) => {
      const { id: webhook_id, address } = own[0].claim.target;
      const limits = own.filter(({ outcome }) => outcome === 'limited').map(({ delay }) => delay!);
      return {
        webhook_id,
        address,
        failures: own.filter(({ outcome }) => outcome === 'retried' || outcome === 'failed').length,
        has_succeeded: own.some(({ outcome }) => outcome === 'delivered'),
        is_gone: own.some(({ last_status }) => last_status === GONE_STATUS),
        limited_for: limits.length > 0 ? Math.max(...limits) : null,
      };
    });
    if (seen.length === 0) return;
    const disabled = await this.units.run(theServiceIn(workspaceId), async (work) => {
      const noted = await work.rows<Noted>(NOTE, { results: JSON.stringify(seen) });
      const disabled = noted.flatMap(({ reason, ...webhook }) => (reason ? { ...webhook, reason } : []));
      for (const { id, url, description, reason } of disabled) {
        await work.emit({ type: 'webhook.disabled', data: { webhook_id: id, description, reason } });
        const subject = { type: 'webhook' as const, id, name: new URL(url).host };
        work.log({ action: 'webhook.disabled', subject, details: { reason } });
      }
      return disabled;
    });
    for (const { reason } of disabled) this.disabled.inc({ reason: reason === GONE ? 'gone' : 'failing' });
  }
}
