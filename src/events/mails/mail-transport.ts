import { Injectable, Logger } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { Config } from '../../settings/config';
import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { Mailer } from '../../platform/mail/mailer';
import type { EventBody } from '../event-body';
import { DeliveryQueue } from '../deliveries/delivery-queue';
import type { Claim, Claimed, Ending, Recipient, Shares, Transport } from '../deliveries/attempt-rules';
import { MailMessages, type MailTarget } from './mail-messages';

/** The most mails of a process under way at a time, each on a connection of its own. */
const MAILS_AT_A_TIME = 5;
/** The most mails of a workspace within an hour, to one address and in all. */
const TO_ADDRESS = 30;
const OF_WORKSPACE = 100;
/** The most receipts to one address within an hour: anybody can name any address. */
const RECEIPTS_TO_ADDRESS = 5;
/** The longest that a mail may take, in milliseconds, however slowly the server talks: less than its lease. */
const MAIL_MS = 50_000;
/** The most deliveries that one transaction collects. */
const BATCH = 1000;

/** The one that has waited longest is first. */
const DUE = statement(`SELECT workspace_id, recipient_id AS id, 'mail' AS transport FROM deliveries
  WHERE transport = 'mail' AND status = 'pending' AND next_attempt_at <= ${NOW}
  GROUP BY workspace_id, recipient_id ORDER BY min(next_attempt_at)`);

/**
 * For `:recipient`, see `Delivery.recipient_id`. With the flow as it is now, and the address, which is empty if there
 * is none.
 */
const TARGET = statement(`
  SELECT :workspace::uuid AS workspace_id, :recipient::uuid AS id, 'mail' AS transport, true AS is_healthy, audience, coalesce(address, '') AS address,
    name AS flow_name, CASE audience WHEN 'customer' THEN exit ->> 'confirmation_from' END AS sender
  FROM (
    SELECT 'flow' AS audience, id AS flow_id, notification_email AS address FROM flows WHERE workspace_id = :workspace AND id = :recipient
    UNION ALL
    SELECT 'team', flow_id, team_email FROM declarations WHERE workspace_id = :workspace AND id = :recipient
    UNION ALL
    SELECT 'customer', coalesce(declaration.flow_id, session.flow_id), coalesce(declaration.email, session.customer ->> 'email')
    FROM (SELECT * FROM events WHERE workspace_id = :workspace AND id = :recipient) AS event
    LEFT JOIN declarations AS declaration
      ON declaration.workspace_id = :workspace AND declaration.id = (event.data ->> 'declaration_id')::uuid
    LEFT JOIN flow_sessions AS session ON session.workspace_id = :workspace AND session.id = event.flow_session_id
  ) AS recipient
  JOIN flows AS flow ON flow.workspace_id = :workspace AND flow.id = flow_id
  CROSS JOIN LATERAL (
    SELECT name FROM flow_versions WHERE workspace_id = :workspace AND flow_id = flow.id AND version = current_version LIMIT 1
  ) AS content`);

/**
 * A mail counts from its first attempt until an hour after its end, unless it was dropped. `carrier` is the delivery
 * that collects a summary, if one does, and `collects` says whether its time is not over. Receipts, whose recipient is
 * their event, count by themselves.
 */
const COUNTS = statement(`
  SELECT carrier.event_id AS carrier, coalesce(carrier.next_attempt_at > ${NOW}, false) AS collects, mails.*
  FROM (
    SELECT (count(address) FILTER (WHERE NOT is_receipt))::integer AS of_workspace,
      (count(*) FILTER (WHERE NOT is_receipt AND lower(address) = lower(:address)))::integer AS to_address,
      (count(*) FILTER (WHERE is_receipt AND lower(address) = lower(:address)))::integer AS receipts_to_address
    FROM (
      SELECT address, event_id = recipient_id AS is_receipt FROM deliveries
      WHERE workspace_id = :workspace AND transport = 'mail' AND attempts > 0 AND status = 'pending'
      UNION ALL
      SELECT address, event_id = recipient_id FROM deliveries WHERE workspace_id = :workspace AND transport = 'mail' AND attempts > 0
        AND status IN ('delivered', 'failed') AND updated_at > ${NOW} - interval '1 hour'
    ) AS mail
  ) AS mails
  LEFT JOIN (
    SELECT event_id, next_attempt_at FROM deliveries
    WHERE workspace_id = :workspace AND recipient_id = :recipient AND status = 'pending' AND attempts = 0 AND summary_id = event_id
  ) AS carrier ON true`);

/**
 * New deliveries that are due become part of the carrier's mail, so they have ended. The
 * first becomes the carrier if there is none. A carrier that is due waits for another hour.
 */
const COLLECT = statement(`
  WITH due AS (
    SELECT event_id, coalesce(:carrier, first_value(event_id) OVER (ORDER BY event_id)) AS carrier FROM deliveries
    WHERE workspace_id = :workspace AND recipient_id = :recipient AND status = 'pending' AND attempts = 0 AND next_attempt_at <= ${NOW}
    ORDER BY event_id LIMIT ${BATCH}
  )
  UPDATE deliveries SET summary_id = carrier, updated_at = ${NOW},
    status = CASE WHEN deliveries.event_id = carrier THEN 'pending' ELSE 'delivered' END,
    next_attempt_at = CASE WHEN deliveries.event_id = carrier THEN ${NOW} + interval '1 hour' END
  FROM due WHERE workspace_id = :workspace AND recipient_id = :recipient AND deliveries.event_id = due.event_id`);

/** Deliveries for which there is no room yet are due again in ten minutes. */
const PUT_OFF = statement(`
  UPDATE deliveries SET next_attempt_at = ${NOW} + interval '10 minutes', updated_at = ${NOW}
  WHERE workspace_id = :workspace AND recipient_id = :recipient AND status = 'pending' AND attempts = 0 AND next_attempt_at <= ${NOW}`);

const FORGET = statement(
  'UPDATE deliveries SET address = NULL WHERE workspace_id = :workspace AND recipient_id = :recipient',
);

/** One process at a time counts the mails of a workspace. */
const LOCK = statement('SELECT pg_try_advisory_xact_lock(hashtextextended(:workspace, 0)) AS is_ours');

interface Counts {
  carrier: string | null;
  collects: boolean;
  of_workspace: number;
  to_address: number;
  receipts_to_address: number;
}

/**
 * Sends mails to the addresses of flows, and receipts to customers, so that no address gets too many and no workspace
 * sends too many.
 */
@Injectable()
export class MailTransport implements Transport<MailTarget> {
  readonly shares: Shares;
  private readonly logger = new Logger(MailTransport.name);
  private readonly closing = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    private readonly queue: DeliveryQueue,
    private readonly messages: MailMessages,
    private readonly mailer: Mailer,
  ) {
    const all = Math.min(config.maxDeliveriesInFlight, MAILS_AT_A_TIME);
    this.shares = { all, ofWorkspace: all, ofRecipient: all };
  }

  async due(): Promise<Recipient[]> {
    return this.mailer.isOn ? this.connections.rows<Recipient>(DUE) : [];
  }

  async claim(recipient: Recipient, most: number): Promise<Claimed<MailTarget> | undefined> {
    const tenant = theServiceIn(recipient.workspace_id);
    const values = { recipient: recipient.id };
    const target = await this.units.reader(tenant).row<MailTarget>(TARGET, values);
    if (!target?.address) {
      const whose = target?.audience === 'flow' ? 'flow' : 'recipient';
      return { claims: [], hasMore: await this.queue.failPending(recipient, `The ${whose} has no address.`) };
    }
    return this.units.run(tenant, async (work) => {
      const lock = await work.row<{ is_ours: boolean }>(LOCK);
      if (!lock!.is_ours) return undefined;
      const claimed = await this.claimWithinLimits(work, target, most);
      if (target.audience !== 'customer') return claimed;
      const current = await work.row<MailTarget>(TARGET, values);
      if (current?.address === target.address) return claimed;
      // The customer was erased meanwhile, and the claim has stored the address again.
      await work.write(FORGET, values);
      return { claims: [], hasMore: false };
    });
  }

  /**
   * While 30 mails to the flow's address count, or 100 of the workspace, further deliveries are collected for an hour,
   * or for more hours until fewer count. They become one mail. Mails of other workspaces to the address don't count, or
   * one workspace could block the others. Mails about declarations are not collected: each waits for room.
   */
  private async claimWithinLimits(work: Work, target: MailTarget, most: number): Promise<Claimed<MailTarget>> {
    const { id: recipient, address } = target;
    const { carrier, collects, ...mails } = (await work.row<Counts>(COUNTS, { recipient, address }))!;
    const room =
      target.audience === 'customer'
        ? RECEIPTS_TO_ADDRESS - mails.receipts_to_address
        : Math.min(TO_ADDRESS - mails.to_address, OF_WORKSPACE - mails.of_workspace);
    if (room > 0 && !collects) return this.queue.claim(target, { most: Math.min(most, room), which: 'all' }, work);
    const collected =
      target.audience === 'flow'
        ? await work.write(COLLECT, { recipient, carrier })
        : await work.write(PUT_OFF, { recipient });
    // Retries are counted in `to_address` already, so they need no room.
    return collected > 0 ? { claims: [], hasMore: true } : this.queue.claim(target, { most, which: 'retries' }, work);
  }

  async send(claim: Claim<MailTarget>, body?: EventBody): Promise<Ending> {
    const { target, event, attempts, begun_at } = claim;
    const mail = {
      ...(await this.messages.of(claim, body)),
      // The same in every attempt, so that mailboxes can tell a mail that comes twice.
      id: messageIdOf(claim),
      date: new Date(begun_at * 1000),
      to: target.address,
      from: this.senderOf(target),
    };
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(MAIL_MS)]);
    const failure = await this.mailer.send(mail, signal);
    if (!failure) return { isDelivered: true };
    this.logger.warn(`Mail ${event.id}, attempt ${attempts}: ${failure.error}`);
    return { isDelivered: false, ...failure };
  }

  /** Undefined: the service's own. An address may have been stored before the operator said which are allowed. */
  private senderOf({ sender }: MailTarget): string | undefined {
    return sender && this.config.allowsSender(sender) ? sender : undefined;
  }

  close(): void {
    this.closing.abort();
  }
}

/** An event may have a mail for the team and a receipt. */
function messageIdOf({ target: { audience, id }, event }: Claim<MailTarget>): string {
  return audience === 'team' ? id : event.id;
}
