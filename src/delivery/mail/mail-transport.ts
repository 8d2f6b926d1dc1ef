import { domainToASCII } from 'node:url';
import { Injectable, Logger } from '@nestjs/common';
import { createTransport, type NodemailerError, type Transporter } from 'nodemailer';
import { DataSource } from 'typeorm';
import { Config, type MailSettings } from '../../config';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { EventBody, SessionEventData } from '../event-body';
import { DeliveryQueue } from '../worker/delivery-queue';
import type { Claim, Claimed, Ending, Recipient, Shares, Target, Transport } from '../worker/attempt';
import { type MailContent, sessionContent, type SummaryCount, summaryContent } from './mail-content';
import { htmlOf, textOf } from './mail-layout';

/** The most mails of a process under way at a time, each on a connection of its own. */
const MAILS_AT_A_TIME = 5;
/** The most mails of a workspace within an hour, to one address and in all. */
const TO_ADDRESS = 30;
const OF_WORKSPACE = 100;
/** The longest silence of the server, in milliseconds. */
const SILENCE_MS = 10_000;
/** The longest that a mail may take, however slowly the server talks: less than its lease. */
const MAIL_MS = 50_000;
/** The most deliveries that one transaction collects. */
const BATCH = 1000;

/** The one that has waited longest is first. */
const DUE = `SELECT workspace_id, recipient_id AS id, 'mail' AS transport FROM deliveries
  WHERE transport = 'mail' AND status = 'pending' AND next_attempt_at <= ${NOW}
  GROUP BY workspace_id, recipient_id ORDER BY min(next_attempt_at)`;

/** $1 workspace, $2 flow, with its name as it is now, and its address, which is empty if it has none. */
const TARGET = `
  SELECT flow.workspace_id, flow.id, 'mail' AS transport, coalesce(notification_email, '') AS address, 0 AS failures, name AS flow_name
  FROM flows AS flow JOIN flow_versions AS content ON content.workspace_id = flow.workspace_id
    AND content.flow_id = flow.id AND content.version = flow.current_version
  WHERE flow.workspace_id = $1 AND flow.id = $2`;

/**
 * $1 workspace, $2 flow, $3 address. A mail counts from its first attempt until an hour after its end, unless it was dropped. `carrier`
 * is the delivery that collects a summary, if one does, and `collects` says whether its time is not over.
 */
const COUNTS = `
  SELECT carrier.event_id AS carrier, coalesce(carrier.next_attempt_at > ${NOW}, false) AS collects, mails.*
  FROM (
    SELECT count(address)::integer AS of_workspace, (count(*) FILTER (WHERE lower(address) = lower($3)))::integer AS to_address
    FROM (
      SELECT address FROM deliveries WHERE workspace_id = $1 AND transport = 'mail' AND attempts > 0 AND status = 'pending'
      UNION ALL
      SELECT address FROM deliveries WHERE workspace_id = $1 AND transport = 'mail' AND attempts > 0
        AND status IN ('delivered', 'failed') AND updated_at > ${NOW} - interval '1 hour'
    ) AS mail
  ) AS mails
  LEFT JOIN (
    SELECT event_id, next_attempt_at FROM deliveries
    WHERE workspace_id = $1 AND recipient_id = $2 AND status = 'pending' AND attempts = 0 AND summary_id = event_id
  ) AS carrier ON true`;

/**
 * $1 workspace, $2 flow, $3 carrier, if there is one. What is new and due becomes part of the carrier's mail, so it has ended. The
 * first becomes the carrier if there is none. A carrier that is due waits for another hour.
 */
const COLLECT = `
  WITH due AS (
    SELECT event_id, coalesce($3, first_value(event_id) OVER (ORDER BY event_id)) AS carrier FROM deliveries
    WHERE workspace_id = $1 AND recipient_id = $2 AND status = 'pending' AND attempts = 0 AND next_attempt_at <= ${NOW}
    ORDER BY event_id LIMIT ${BATCH}
  )
  UPDATE deliveries SET summary_id = carrier, updated_at = ${NOW},
    status = CASE WHEN deliveries.event_id = carrier THEN 'pending' ELSE 'delivered' END,
    next_attempt_at = CASE WHEN deliveries.event_id = carrier THEN ${NOW} + interval '1 hour' END
  FROM due WHERE workspace_id = $1 AND recipient_id = $2 AND deliveries.event_id = due.event_id`;

/** $1 workspace, $2 carrier. The sessions of a summary by their offer, or the first reason that was given. */
const SUMMARY = `
  SELECT ended.type, ended.sessions, ended.first, ended.last,
    coalesce(offer, jsonb_path_query_first(content.definition,
      '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
      jsonb_build_object('node', node_key, 'option', option)) #>> '{}') AS label
  FROM (
    SELECT event.type, session.flow_id, session.flow_version, answer.node_key, answer.option,
      session.accepted_offer ->> 'name' AS offer, count(*)::integer AS sessions,
      min(event.created_at) AS first, max(event.created_at) AS last
    FROM deliveries AS delivery
    JOIN events AS event ON event.workspace_id = $1 AND event.id = delivery.event_id
    LEFT JOIN flow_sessions AS session ON session.workspace_id = $1 AND session.id = event.flow_session_id
    LEFT JOIN LATERAL (
      SELECT node_key, option FROM session_steps
      WHERE workspace_id = $1 AND flow_session_id = session.id AND action = 'answer' ORDER BY position LIMIT 1
    ) AS answer ON event.type = 'session.canceled'
    WHERE delivery.workspace_id = $1 AND delivery.summary_id = $2
    GROUP BY 1, 2, 3, 4, 5, 6
  ) AS ended
  LEFT JOIN flow_versions AS content ON content.workspace_id = $1
    AND content.flow_id = ended.flow_id AND content.version = ended.flow_version`;

interface MailTarget extends Target {
  flow_name: string;
}

interface Counts {
  carrier: string | null;
  collects: boolean;
  of_workspace: number;
  to_address: number;
}

/** Sends mails to the addresses of flows, so that no address gets too many and no workspace sends too many. */
@Injectable()
export class MailTransport implements Transport<MailTarget> {
  readonly shares: Shares;
  private readonly logger = new Logger(MailTransport.name);
  private readonly closing = new AbortController();
  /** Undefined without a mail server. */
  private readonly smtp?: Transporter;
  /** Of the sender's address. */
  private readonly domain: string;

  constructor(
    { maxDeliveriesInFlight, mail }: Config,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly queue: DeliveryQueue,
  ) {
    const all = Math.min(maxDeliveriesInFlight, MAILS_AT_A_TIME);
    this.shares = { all, ofWorkspace: all, ofRecipient: all };
    if (!mail) return;
    this.smtp = connectionTo(mail);
    this.domain = domainToASCII(mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1));
  }

  async due(): Promise<Recipient[]> {
    return this.smtp ? this.dataSource.query<Recipient[]>(DUE) : [];
  }

  /**
   * While 30 mails to the flow's address count, or 100 of the workspace, further deliveries are collected for an hour, or for as
   * many more as it takes until fewer count. The summary is one mail. Mails of other workspaces to the address don't count:
   * one workspace could keep the others from writing to it.
   */
  async claim(flow: Recipient, most: number): Promise<Claimed<MailTarget> | undefined> {
    const names = [flow.workspace_id, flow.id];
    const [target] = await this.dataSource.query<MailTarget[]>(TARGET, names);
    if (target.address === '')
      return { claims: [], hasMore: await this.queue.failPending(flow, 'The flow has no address.') };
    return this.transactions.run(async (manager) => {
      // One process at a time counts the mails of a workspace.
      const lock = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_ours';
      const [{ is_ours }] = await manager.query<{ is_ours: boolean }[]>(lock, [flow.workspace_id]);
      if (!is_ours) return undefined;
      const [{ carrier, collects, ...mails }] = await manager.query<Counts[]>(COUNTS, [...names, target.address]);
      const room = Math.min(TO_ADDRESS - mails.to_address, OF_WORKSPACE - mails.of_workspace);
      if (room > 0 && !collects) return this.queue.claim(target, { most: Math.min(most, room), which: 'all' }, manager);
      const [, collected] = await manager.query<[unknown, number]>(COLLECT, [...names, carrier]);
      // Retries are counted in `to_address` already, so they need no room.
      return collected > 0
        ? { claims: [], hasMore: true }
        : this.queue.claim(target, { most, which: 'retries' }, manager);
    });
  }

  /** A mail that is cut off may have been sent all the same. */
  async send(claim: Claim<MailTarget>, body?: EventBody): Promise<Ending> {
    const { target, event, attempts, begun_at } = claim;
    const content = await this.contentOf(claim, body);
    try {
      await this.smtp!.sendMail({
        to: { name: '', address: target.address },
        // The same in every attempt, so that mailboxes can tell a mail that comes twice.
        messageId: `<${event.id}@${this.domain}>`,
        date: new Date(begun_at * 1000),
        subject: content.subject,
        text: textOf(content),
        html: htmlOf(content),
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(MAIL_MS)]),
      });
      return { isDelivered: true };
    } catch (error) {
      const failure = failureOf(error as NodemailerError);
      this.logger.warn(`Mail ${event.id}, attempt ${attempts}: ${failure.error}`);
      return failure;
    }
  }

  close(): void {
    this.closing.abort();
  }

  /** Read when it is sent: what was erased until then is not in it. */
  private async contentOf({ target, event, is_summary }: Claim<MailTarget>, body?: EventBody): Promise<MailContent> {
    const { workspace_id, flow_name } = target;
    if (!is_summary) return sessionContent(flow_name, body!.timestamp, body!.data as SessionEventData);
    return summaryContent(flow_name, await this.dataSource.query<SummaryCount[]>(SUMMARY, [workspace_id, event.id]));
  }
}

function connectionTo({ smtpUrl, from }: MailSettings): Transporter {
  return createTransport(
    {
      url: smtpUrl,
      dnsTimeout: SILENCE_MS,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' }, xMailer: false },
  );
}

/**
 * Errors are codes of SMTP and of the system, and no text: a server may quote what it was sent. A mail has failed if the server
 * refuses it for good (5xx, RFC 5321) or its address can't be used. Errors of the connection and of the login may be over at the
 * next attempt.
 */
function failureOf({ code, command, response, originalCode, permanent }: NodemailerError) {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reply = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response ?? '')?.[0].replace('-', ' ');
  const error = [command, reply ?? originalCode ?? code ?? 'unknown error'].filter(Boolean).join(': ');
  return { isDelivered: false, isFinal: isAboutMail && permanent !== false, error } as const;
}
