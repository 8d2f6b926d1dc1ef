import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { NotificationStatus } from './notification.entity';

/** The most mails of a flow within an hour. */
const MAILS_AN_HOUR = 30;
/** How long a mail is left to the process that claimed it: longer than an attempt may take. */
const LEASE = `interval '60 seconds'`;
/** The most notifications that one transaction collects. */
const BATCH = 1000;

export interface FlowKey {
  workspace_id: string;
  flow_id: string;
}

/** A mail that this process is to send now. */
export interface Claim extends FlowKey {
  event_id: string;
  is_summary: boolean;
  /** Including the one that begins now. */
  attempts: number;
  /** The address of the flow at this moment; null if it was cleared. */
  to: string | null;
  /** The time of the claim. */
  date: Date;
}

/** The notification of a flow that is next, and what decides on it. */
interface Next {
  event_id: string;
  status: NotificationStatus;
  attempts: number;
  /** Mails of the flow that ended in the last hour, and those that are still attempted. */
  mails: number;
  /** The notification that collects a summary; null if none does. */
  collecting: string | null;
}

/** Says who sends which mail, so that each is sent once and no flow has too many. */
@Injectable()
export class MailClaims {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** The flows, of all workspaces, that something is to be done for. Those that wait longest come first. */
  dueFlows(): Promise<FlowKey[]> {
    return this.dataSource.query(
      `SELECT workspace_id, flow_id FROM notifications WHERE next_attempt_at <= ${NOW}
       GROUP BY workspace_id, flow_id ORDER BY min(next_attempt_at)`,
    );
  }

  /**
   * The next mail of a flow; undefined if none may be sent now. One process at a time claims for a flow.
   *
   * A mail counts from its first attempt until an hour after its end. While 30 count, further notifications are collected for
   * an hour, or for as many more as it takes until fewer count. The summary is one mail.
   */
  claim({ workspace_id, flow_id }: FlowKey): Promise<Claim | undefined> {
    return this.transactions.run(async (manager) => {
      if (!(await isFirst(flow_id, manager))) return undefined;
      const next = await readNext([workspace_id, flow_id], manager);
      if (!next) return undefined;
      const { event_id, status, attempts, mails, collecting } = next;
      const hasRoom = mails < MAILS_AN_HOUR && (collecting === null || status === 'collecting');
      if (attempts === 0 && !hasRoom) {
        await collect([workspace_id, flow_id, collecting ?? event_id], manager);
        return undefined;
      }
      const [[claim]] = await manager.query<[Claim[], number]>(
        `UPDATE notifications SET status = 'pending', attempts = attempts + 1, next_attempt_at = ${NOW} + ${LEASE},
           updated_at = ${NOW}
         WHERE workspace_id = $1 AND event_id = $2
         RETURNING workspace_id, flow_id, event_id, summary_id IS NOT NULL AS is_summary, attempts, updated_at AS date,
           (SELECT notification_email FROM flows WHERE workspace_id = $1 AND id = flow_id) AS to`,
        [workspace_id, event_id],
      );
      return claim;
    });
  }

  /** Ends a claim, unless its lease ran out and somebody else has claimed the mail since. */
  async close({ workspace_id, event_id, attempts }: Claim, status: NotificationStatus, error?: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE notifications SET status = $4, next_attempt_at = NULL, last_error = $5, updated_at = ${NOW}
       WHERE workspace_id = $1 AND event_id = $2 AND attempts = $3 AND status = 'pending'`,
      [workspace_id, event_id, attempts, status, error ?? null],
    );
  }

  /** Ends a claim, and lets the mail be claimed again after so many seconds. */
  async release({ workspace_id, event_id, attempts }: Claim, seconds: number, error?: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE notifications SET next_attempt_at = ${NOW} + make_interval(secs => $4), last_error = $5, updated_at = ${NOW}
       WHERE workspace_id = $1 AND event_id = $2 AND attempts = $3 AND status = 'pending'`,
      [workspace_id, event_id, attempts, seconds, error ?? null],
    );
  }
}

/** Keeps other processes from claiming for a flow until the transaction ends. False if another one does. */
async function isFirst(flowId: string, manager: EntityManager): Promise<boolean> {
  const [{ is_first }] = await manager.query<{ is_first: boolean }[]>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_first`,
    [flowId],
  );
  return is_first;
}

/** Further attempts come first, then a summary that is due, then new notifications. */
async function readNext(flow: string[], manager: EntityManager): Promise<Next | undefined> {
  const own = 'workspace_id = $1 AND flow_id = $2';
  const [next] = await manager.query<Next[]>(
    `SELECT event_id, status, attempts,
       (SELECT event_id FROM notifications WHERE ${own} AND status = 'collecting' AND next_attempt_at IS NOT NULL) AS collecting,
       ((SELECT count(*) FROM notifications WHERE ${own} AND next_attempt_at IS NOT NULL AND attempts > 0)
         + (SELECT count(*) FROM notifications
            WHERE ${own} AND status IN ('sent', 'failed') AND attempts > 0 AND updated_at > ${NOW} - interval '1 hour')
       )::integer AS mails
     FROM notifications WHERE ${own} AND next_attempt_at <= ${NOW}
     ORDER BY attempts = 0, status = 'pending', event_id LIMIT 1`,
    flow,
  );
  return next;
}

/** Adds what is due to the summary that a notification carries ($3), and lets that one wait for more. */
async function collect(flowAndCarrier: string[], manager: EntityManager): Promise<void> {
  const [workspaceId, , carrier] = flowAndCarrier;
  await manager.query(
    `UPDATE notifications SET summary_id = event_id, updated_at = ${NOW}, status = 'collecting',
       next_attempt_at = ${NOW} + interval '1 hour'
     WHERE workspace_id = $1 AND event_id = $2 AND next_attempt_at <= ${NOW}`,
    [workspaceId, carrier],
  );
  await manager.query(
    `UPDATE notifications SET summary_id = $3, updated_at = ${NOW}, status = 'collected', next_attempt_at = NULL
     WHERE workspace_id = $1 AND event_id IN (
       SELECT event_id FROM notifications WHERE workspace_id = $1 AND flow_id = $2 AND next_attempt_at <= ${NOW}
       ORDER BY event_id LIMIT ${BATCH})`,
    flowAndCarrier,
  );
}
