import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { version } from '../../../package.json';
import { Config } from '../../settings/config';
import { bound, prepared, statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { Outbound, OutboundError } from '../../platform/http/outbound';
import { DUE_FIRST } from '../deliveries/delivery-statements';
import type { EventBody } from '../event-body';
import { MANY_FAILURES, MAX_WEBHOOKS, type WebhookFormat, type WebhookStatus } from './webhook.entity';
import { type ClaimOptions, DeliveryQueue, waitsFor } from '../deliveries/delivery-queue';
import { FORMATS, headersOf, withoutSecrets } from './formats';
import { sign } from './signature';
import {
  type Claim,
  type Claimed,
  type Ending,
  limitOf,
  type Recipient,
  type Shares,
  type Target,
  type Transport,
} from '../deliveries/attempt-rules';

/** The most of all attempts under way that are a workspace's: hanging ones leave room. */
const WORKSPACE_SHARE = 1 / 4;
/** Seconds between two attempts at a webhook that keeps failing. */
const PROBE_PAUSE = 30;
/** How many are looked at for that one: some may wait for an earlier one of their session. */
const LOOKED_AT = 100;
const USER_AGENT = `retention-flow-service/${version}`;

/** The LIMIT makes Postgres look for one delivery of each webhook, however many it has. */
const DUE = statement(`SELECT workspace_id, id, 'webhook' AS transport FROM webhooks WHERE (
  SELECT true FROM deliveries WHERE deliveries.workspace_id = webhooks.workspace_id AND recipient_id = webhooks.id
    AND deliveries.status = 'pending' AND next_attempt_at <= CASE
      WHEN webhooks.status = 'disabled' THEN 'infinity' WHEN next_probe_at > ${NOW} THEN ${DUE_FIRST} ELSE ${NOW} END
  LIMIT 1)`);

const TARGET = prepared(
  'deliveries-target',
  `
  SELECT workspace_id, id, 'webhook' AS transport, url AS address, format, write_key, status, failures,
    failures = 0 AND paused_since IS NULL AS is_healthy, coalesce(next_probe_at > ${NOW}, false) AS is_paused,
    coalesce(paused_since > ${NOW} - interval '1 hour', true) AS may_limit_with_503, array_remove(
    ARRAY[secret, CASE WHEN previous_secret_expires_at > ${NOW} THEN previous_secret END], NULL) AS secrets
  FROM webhooks WHERE workspace_id = :workspace AND id = :webhook`,
);

const PROBE = prepared(
  'deliveries-probe',
  `
  UPDATE webhooks SET next_probe_at = ${NOW} + :pause * interval '1 second'
  WHERE workspace_id = :workspace AND id = :webhook AND (next_probe_at > ${NOW}) IS NOT TRUE AND EXISTS (
    SELECT FROM deliveries AS delivery WHERE workspace_id = :workspace AND recipient_id = :webhook
      AND delivery.status = 'pending' AND next_attempt_at > ${DUE_FIRST} AND next_attempt_at <= ${NOW} AND ${waitsFor('delivery')} IS NULL)
  RETURNING id`,
);

interface WebhookTarget extends Target {
  format: WebhookFormat;
  write_key: string | null;
  status: WebhookStatus;
  failures: number;
  is_paused: boolean;
  /** Whether 503 may still mean that it limits: it has not done so for an hour without a success. */
  may_limit_with_503: boolean;
  /** The newest first. */
  secrets: string[];
}

/** Sends events to webhooks, signed. */
@Injectable()
export class WebhookTransport implements Transport<WebhookTarget> {
  readonly shares: Shares;
  private readonly publicUrl?: string;

  constructor(
    { maxDeliveriesInFlight, publicUrl }: Config,
    private readonly connections: ConnectionPool,
    private readonly queue: DeliveryQueue,
    private readonly pipeline: Pipeline,
    private readonly outbound: Outbound,
  ) {
    this.publicUrl = publicUrl;
    const ofWorkspace = Math.ceil(maxDeliveriesInFlight * WORKSPACE_SHARE);
    this.shares = { all: maxDeliveriesInFlight, ofWorkspace, ofRecipient: Math.ceil(ofWorkspace / MAX_WEBHOOKS) };
  }

  /** Not prepared, so that Postgres plans for the number of webhooks that there are now. */
  due(): Promise<Recipient[]> {
    return this.connections.rows(DUE);
  }

  async claim(webhook: Recipient, most: number): Promise<Claimed<WebhookTarget>> {
    const target = await this.targetOf(webhook);
    const all: Claimed<WebhookTarget> = { claims: [], hasMore: false };
    if (!target) return all;
    if (target.status === 'disabled') all.hasMore = await this.queue.failPending(webhook, 'The webhook is disabled.');
    const { options: each, moreIn } = await this.optionsFor(target, most);
    for (const options of each) {
      const { claims, hasMore } = await this.queue.claim(target, options);
      all.claims.push(...claims);
      all.hasMore ||= hasMore;
    }
    return { ...all, moreIn };
  }

  async send({ target, event: { id }, begun_at }: Claim<WebhookTarget>, body?: EventBody): Promise<Ending> {
    const { address, secrets, format, workspace_id, id: webhook_id } = target;
    const { publicUrl } = this;
    const addressed = { workspace_id, webhook_id, event_id: id, body: body!, publicUrl };
    const text = JSON.stringify(FORMATS[format].bodyOf(addressed));
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...headersOf(target),
      'webhook-id': id,
      'webhook-timestamp': String(begun_at),
      'webhook-signature': sign(secrets, id, begun_at, text),
    };
    try {
      const response = await this.outbound.post(address, headers, text);
      const { status, excerpt, retryAfter } = response;
      if (status >= 200 && status < 300) return { isDelivered: true, status };
      const error = excerpt ? withoutSecrets(excerpt, { ...target, url: address }) : sentenceOf(status);
      const limitedFor = limitOf(response, target.may_limit_with_503);
      return { isDelivered: false, error, status, retryAfter, limitedFor, isFinal: status === 410 };
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

  /**
   * Whether a webhook that gets one attempt at a time may get it now, and something is due. One process of all
   * may.
   */
  async mayProbe({ workspace_id, id }: Recipient, pause: number): Promise<boolean> {
    const probe = bound(PROBE, workspace_id, { webhook: id, pause });
    return (await this.pipeline.send(probe)).length > 0;
  }

  /**
   * Which deliveries may be claimed: tests always; one at a time at the pace of a format, or of a webhook that keeps
   * failing.
   */
  private async optionsFor(target: WebhookTarget, most: number): Promise<{ options: ClaimOptions[]; moreIn?: number }> {
    const tests: ClaimOptions = { most, which: 'tests' };
    if (target.status === 'disabled' || target.is_paused) return { options: [tests] };
    const { pace } = FORMATS[target.format];
    const pause = target.failures < MANY_FAILURES ? pace : PROBE_PAUSE;
    if (pause === undefined) return { options: [{ most, which: 'all' }] };
    if (!(await this.mayProbe(target, pause))) return { options: [tests] };
    return { options: [tests, { most: 1, which: 'all', looked: LOOKED_AT }], moreIn: pause };
  }
}

/** The sentence that stands for a response without a body. */
function sentenceOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return `The response was ${status}${isRedirect ? ', and redirects are not followed' : ''}.`;
}
