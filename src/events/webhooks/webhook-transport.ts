import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { version } from '../../../package.json';
import { Config } from '../../app/config';
import { bound, prepared } from '../../platform/database/statement';
import { NOW } from '../../platform/database/time';
import { Pipeline } from '../../platform/database/pipeline.service';
import { Outbound, OutboundError } from '../../platform/http/outbound';
import { DUE_FIRST } from '../deliveries/delivery-statements';
import type { EventBody } from '../event-body';
import { MAX_WEBHOOKS, type WebhookFormat, type WebhookStatus } from './webhook.entity';
import { type ClaimOptions, DeliveryQueue, waitsFor } from '../deliveries/delivery-queue';
import { formatted, headersOf, withoutSecrets } from './formats';
import { sign } from './signature';
import type { Claim, Claimed, Ending, Recipient, Shares, Target, Transport } from '../deliveries/attempt-rules';

/** The most of all attempts under way that are a workspace's: hanging ones leave room. */
const WORKSPACE_SHARE = 1 / 4;
/** After this many failures in a row, a webhook gets one attempt at a time, with pauses. */
const MANY_FAILURES = 20;
/** The time between two of them. */
const PROBE_PAUSE = `interval '30 seconds'`;
/** How many are looked at for that one: some may wait for an earlier one of their session. */
const LOOKED_AT = 100;
const USER_AGENT = `retention-flow-service/${version}`;

/** The LIMIT makes Postgres look for one delivery of each webhook, however many it has. */
const DUE = `SELECT workspace_id, id, 'webhook' AS transport FROM webhooks WHERE (
  SELECT true FROM deliveries WHERE deliveries.workspace_id = webhooks.workspace_id AND recipient_id = webhooks.id
    AND deliveries.status = 'pending' AND next_attempt_at <= CASE
      WHEN webhooks.status = 'disabled' THEN 'infinity' WHEN next_probe_at > ${NOW} THEN ${DUE_FIRST} ELSE ${NOW} END
  LIMIT 1)`;

const TARGET = prepared(
  'deliveries-target',
  `
  SELECT workspace_id, id, 'webhook' AS transport, url AS address, format, write_key, status, failures, array_remove(
    ARRAY[secret, CASE WHEN previous_secret_expires_at > ${NOW} THEN previous_secret END], NULL) AS secrets
  FROM webhooks WHERE workspace_id = :workspace AND id = :webhook`,
);

const PROBE = prepared(
  'deliveries-probe',
  `
  UPDATE webhooks SET next_probe_at = ${NOW} + ${PROBE_PAUSE}
  WHERE workspace_id = :workspace AND id = :webhook AND (next_probe_at > ${NOW}) IS NOT TRUE AND EXISTS (
    SELECT FROM deliveries AS delivery WHERE workspace_id = :workspace AND recipient_id = :webhook
      AND delivery.status = 'pending' AND next_attempt_at > ${DUE_FIRST} AND next_attempt_at <= ${NOW} AND ${waitsFor('delivery')} IS NULL)
  RETURNING id`,
);

interface WebhookTarget extends Target {
  format: WebhookFormat;
  write_key: string | null;
  status: WebhookStatus;
  /** The newest first. */
  secrets: string[];
}

/** Sends events to webhooks, signed. */
@Injectable()
export class WebhookTransport implements Transport<WebhookTarget> {
  readonly shares: Shares;

  constructor(
    { maxDeliveriesInFlight }: Config,
    private readonly dataSource: DataSource,
    private readonly queue: DeliveryQueue,
    private readonly pipeline: Pipeline,
    private readonly outbound: Outbound,
  ) {
    const ofWorkspace = Math.ceil(maxDeliveriesInFlight * WORKSPACE_SHARE);
    this.shares = { all: maxDeliveriesInFlight, ofWorkspace, ofRecipient: Math.ceil(ofWorkspace / MAX_WEBHOOKS) };
  }

  /** Not prepared, so that Postgres plans for the number of webhooks that there are now. */
  due(): Promise<Recipient[]> {
    return this.dataSource.query(DUE);
  }

  async claim(webhook: Recipient, most: number): Promise<Claimed<WebhookTarget>> {
    const target = await this.targetOf(webhook);
    const all: Claimed<WebhookTarget> = { claims: [], hasMore: false };
    if (!target) return all;
    if (target.status === 'disabled') all.hasMore = await this.queue.failPending(webhook, 'The webhook is disabled.');
    for (const options of await this.optionsFor(target, most)) {
      const { claims, hasMore } = await this.queue.claim(target, options);
      all.claims.push(...claims);
      all.hasMore ||= hasMore;
    }
    return all;
  }

  async send({ target, event: { id }, begun_at }: Claim<WebhookTarget>, body?: EventBody): Promise<Ending> {
    const { address, secrets, format, workspace_id } = target;
    const text = JSON.stringify(formatted(format, { workspace_id, event_id: id, body: body! }));
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...headersOf(target),
      'webhook-id': id,
      'webhook-timestamp': String(begun_at),
      'webhook-signature': sign(secrets, id, begun_at, text),
    };
    try {
      const { status, excerpt, retryAfter } = await this.outbound.post(address, headers, text);
      if (status >= 200 && status < 300) return { isDelivered: true, status };
      const error = excerpt ? withoutSecrets(excerpt, { ...target, url: address }) : sentenceOf(status);
      return { isDelivered: false, error, status, retryAfter, isFinal: status === 410 };
    } catch (error) {
      if (error instanceof OutboundError) return { isDelivered: false, error: error.message };
      throw error;
    }
  }

  close(): void {
    this.outbound.close();
  }

  async targetOf({ workspace_id, id }: Recipient): Promise<WebhookTarget | undefined> {
    const target = bound(TARGET, workspace_id, { webhook: id });
    return (await this.pipeline.send<WebhookTarget>(target)).at(0);
  }

  /** Whether a webhook that fails all the time may be tried now, and something is due. Of all processes one may. */
  async mayProbe({ workspace_id, id }: Recipient): Promise<boolean> {
    const probe = bound(PROBE, workspace_id, { webhook: id });
    return (await this.pipeline.send(probe)).length > 0;
  }

  /** Which deliveries may be claimed: tests always; of a webhook that keeps failing, one delivery now and then. */
  private async optionsFor(target: WebhookTarget, most: number): Promise<ClaimOptions[]> {
    const tests: ClaimOptions = { most, which: 'tests' };
    if (target.status === 'disabled') return [tests];
    if (target.failures < MANY_FAILURES) return [{ most, which: 'all' }];
    return (await this.mayProbe(target)) ? [tests, { most: 1, which: 'all', looked: LOOKED_AT }] : [tests];
  }
}

/** For a response without a body. */
function sentenceOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return `The response was ${status}${isRedirect ? ', and redirects are not followed' : ''}.`;
}
