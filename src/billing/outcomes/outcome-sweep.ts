import { Injectable, Logger } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { firstIdOf } from '../../platform/api/ids';
import { Config } from '../../settings/config';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { statement } from '../../platform/database/transaction/statement';
import { NOW } from '../../platform/database/time';
import { type Tenant, theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { ConnectionsService } from '../connections/connections.service';
import { BillingFailure } from '../model/provider';
import { WATCHED_DAYS } from './outcome.entity';
import { OutcomeReader, type SavedSession } from './outcome-reader.service';

const EVERY_MS = 60_000;
/** How many workspaces are read at once. */
const AT_ONCE = 4;
/** How many subscriptions are read before that is stored. */
const BATCH = 20;
/** After more in a row without an answer, the billing system is given time, and nothing is passed over. */
const MOST_UNANSWERED = 1;
/** The most subscriptions that are remembered as unread. */
const MOST_UNREAD = 1000;

const DUE = statement(
  `SELECT workspace_id FROM billing_connections WHERE next_sweep_at <= ${NOW} ORDER BY next_sweep_at`,
);

/** Another process may go on when this one has died. */
const CLAIM = statement(`
  UPDATE billing_connections SET next_sweep_at = ${NOW} + interval '10 minutes'
  WHERE workspace_id = :workspace AND next_sweep_at <= ${NOW} RETURNING swept_until`);

/** A session may be saved a day after it began. */
const FIRST = firstIdOf(`${NOW} - interval '${WATCHED_DAYS + 1} days'`);
const SESSION = 'id, flow_sessions.customer_id, billing_customer_id, subscription_id, updated_at';
const IS_SAVED = `status = 'saved' AND customer_verified AND subscription_id IS NOT NULL`;

/**
 * The sessions that were saved in the last 180 days, and older ones of customers who have canceled and may take it
 * back.
 * `:last` is the last session that was read, or null.
 */
const SAVED = statement(`
  (SELECT DISTINCT flow_sessions.${SESSION} FROM outcomes JOIN flow_sessions USING (workspace_id, customer_id)
    WHERE workspace_id = :workspace AND is_provisional AND ${IS_SAVED} AND flow_sessions.id <= ${FIRST}
      AND flow_sessions.id > coalesce(:last::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT ${BATCH})
  UNION ALL
  (SELECT ${SESSION} FROM flow_sessions
    WHERE workspace_id = :workspace AND ${IS_SAVED} AND id > greatest(:last::uuid, ${FIRST}) AND updated_at > ${NOW} - interval '${WATCHED_DAYS} days'
    ORDER BY id LIMIT ${BATCH})
  ORDER BY id LIMIT ${BATCH}`);

/** `:last` is null at the end. It goes on in `:minutes`. `:read` and `:unread`: what this part read. */
const CLOSE = statement(`
  UPDATE billing_connections SET swept_until = :last, next_sweep_at = ${NOW} + :minutes * interval '1 minute',
    unread_subscriptions = ARRAY(
      SELECT unnest(unread_subscriptions) EXCEPT SELECT unnest(:read::text[]) UNION SELECT unnest(:unread::text[]) LIMIT ${MOST_UNREAD})
  WHERE workspace_id = :workspace`);

/** Forgets unread subscriptions that a sweep no longer meets: their sessions are too old, or erased. */
const PRUNE = statement(`
  UPDATE billing_connections SET unread_subscriptions = ARRAY(
    SELECT DISTINCT subscription_id FROM flow_sessions
    WHERE workspace_id = :workspace AND subscription_id = ANY (unread_subscriptions) AND ${IS_SAVED}
      AND (id > ${FIRST} OR EXISTS (
        SELECT FROM outcomes WHERE workspace_id = :workspace AND customer_id = flow_sessions.customer_id AND is_provisional)))
  WHERE workspace_id = :workspace AND unread_subscriptions <> '{}'`);

const DAY = 24 * 60;
const SOON = 10;

/** The subscriptions that were read, of the saved sessions until `last`; null at the end. */
interface Part {
  last: string | null;
  read: string[];
  unread: string[];
}

/**
 * Once a day, reads the subscriptions of all sessions that were saved in the last 180 days. What a webhook has missed
 * comes with it.
 */
@Injectable()
export class OutcomeSweep {
  private readonly job?: Job;
  private readonly log = new Logger('Outcomes');

  constructor(
    private readonly pool: ConnectionPool,
    private readonly units: UnitsOfWork,
    private readonly connections: ConnectionsService,
    private readonly outcomes: OutcomeReader,
    { sendNothing }: Config,
    jobs: Jobs,
  ) {
    if (sendNothing) return;
    this.job = jobs.add({ name: 'Outcomes', everyMs: EVERY_MS, run: () => this.sweepAll() });
  }

  private async sweepAll(): Promise<boolean> {
    const due = await this.pool.rows<{ workspace_id: string }>(DUE);
    let isMore = false;
    await this.job!.forEach(
      due,
      async ({ workspace_id }) => {
        const tenant = theServiceIn(workspace_id);
        const claimed = await this.units.run(tenant, (work) => work.row<{ swept_until: string | null }>(CLAIM));
        if (claimed && (await this.sweep(tenant, claimed.swept_until))) isMore = true;
      },
      AT_ONCE,
    );
    return isMore;
  }

  /** Reads some subscriptions. Returns whether there are more to read at once. */
  private async sweep(tenant: Tenant, after: string | null): Promise<boolean> {
    const { workspaceId } = tenant;
    const connected = await this.connections.connected(workspaceId);
    const sessions = await this.units.reader(tenant).rows<SavedSession>(SAVED, { last: after });
    const part: Part = { last: after, read: [], unread: [] };
    /** Nothing was answered since these. They are passed over only if something is answered behind them. */
    let unanswered: SavedSession[] = [];
    for (const session of sessions) {
      if (this.job!.isStopping) return false;
      const answer =
        typeof connected === 'object' ? await this.outcomes.read(workspaceId, session, connected) : 'refused';
      if (answer instanceof BillingFailure && !answer.isAnswered) unanswered.push(session);
      if (answer === 'refused' || unanswered.length > MOST_UNANSWERED) {
        await this.goOn(tenant, part, SOON);
        return false;
      }
      if (unanswered.at(-1) === session) continue;
      part.unread.push(...unanswered.map(({ subscription_id }) => subscription_id!));
      unanswered = [];
      part.last = session.id;
      if (answer === 'read') part.read.push(session.subscription_id!);
      else {
        part.unread.push(session.subscription_id!);
        const which = `Subscription ${session.subscription_id} of workspace ${workspaceId}`;
        this.log.warn(`${which} can’t be read: ${answer.message}`);
      }
      this.job!.noteProgress();
    }
    part.unread.push(...unanswered.map(({ subscription_id }) => subscription_id!));
    const isMore = sessions.length === BATCH;
    await (isMore ? this.goOn(tenant, part, 0) : this.goOn(tenant, { ...part, last: null }, DAY));
    if (!isMore) await this.units.run(tenant, (work) => work.write(PRUNE));
    return isMore;
  }

  private goOn(tenant: Tenant, part: Part, minutes: number): Promise<unknown> {
    return this.units.run(tenant, (work) => work.write(CLOSE, { ...part, minutes }));
  }
}
