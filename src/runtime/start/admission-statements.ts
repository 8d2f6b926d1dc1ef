import { idFrom, idTime } from '../../platform/api/ids';
import { jsonRows } from '../../platform/database/transaction/json-rows';
import { NOW } from '../../platform/database/time';
import { recordFrom } from '../../outbox/outbox.service';
import { factsIn } from '../../flows/graph/branch-conditions';
import type { Flow } from '../../flows/flow.entity';
import { COUNT_SESSIONS, COUNTED, endOf } from '../../workspaces/counters/usage';
import { BatchStatements } from '../batch-statements';
import type { FlowSession } from '../../sessions/flow-session.entity';
import type { Admission, NewSession, LockedWorkspace, Start } from './admission-rules';
import { factsOfSessions } from './earlier-sessions';
import { monthlyOf } from './subscription';

/** A workspace with one of its flows. */
export type FlowRow = LockedWorkspace &
  Pick<Flow, 'status' | 'current_version' | 'first_published_at' | 'estimated_monthly_value'> & { flow_id: string };

type SessionRow = Pick<
  FlowSession,
  'workspace_id' | 'session_id' | 'locale' | 'flow_id' | 'flow_version' | 'idempotency_key' | 'request_hash'
>;

/** Columns by which a session is found, with their SQL types. */
const FOUND_BY = { session_id: 'uuid', idempotency_key: 'text' };

/** SQL for the time of a start: within the month that it counts in, even if that month is just over. */
const STARTED_AT = `greatest(period_start, least(${NOW}, period_end - interval '1 millisecond'))`;

/**
 * SQL for the facts that are known of `begun`: what the token claims, unless a billing system is asked for its
 * subscription, and what earlier sessions say, if the flow asks that.
 */
const FACTS = `CASE WHEN claimed_facts IS NOT NULL OR asks_sessions THEN nullif(
          CASE WHEN claimed_facts IS NULL OR subscription_id IS NOT NULL AND EXISTS (
            SELECT FROM billing_connections AS connection
            WHERE connection.workspace_id = ANY ($1::uuid[]) AND connection.workspace_id = begun.workspace_id
          ) THEN '{}' ELSE claimed_facts END
          || CASE WHEN asks_sessions THEN ${factsOfSessions(STARTED_AT)} ELSE '{}' END, '{}') END`;

/** Inserts sessions that begin. `facts` is SQL for what is known of each, as `begun`. */
const insertWith = (
  facts: string,
) => `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, source, locale, status, current_node_key,
          customer_id, customer, customer_verified, subscription_id, billing_customer_id, monthly_amount, currency,
          amount_verified, estimated_monthly_value, facts, idempotency_key, request_hash, created_at, updated_at)
        SELECT workspace_id, ${idFrom(idTime(STARTED_AT), 'gen_random_uuid()::text')}, session_id, flow_id, flow_version,
          source, locale, 'in_progress', current_node_key, customer_id, customer, customer_verified, subscription_id,
          billing_customer_id, monthly_amount, currency, amount_verified, estimated_monthly_value, ${facts},
          idempotency_key, request_hash, ${STARTED_AT}, ${STARTED_AT}
        FROM ${jsonRows(
          '$2',
          `workspace_id uuid, session_id uuid, flow_id uuid, flow_version integer, source text, locale text, current_node_key text,
            customer_id text, customer jsonb, customer_verified boolean, subscription_id text, billing_customer_id text,
            monthly_amount bigint, currency text, amount_verified boolean, estimated_monthly_value numeric,
            claimed_facts jsonb, asks_sessions boolean, idempotency_key text, request_hash bytea, period_start timestamptz, period_end timestamptz`,
        )} AS begun WHERE workspace_id = ANY ($1::uuid[])`;
const INSERT = insertWith('NULL');
const INSERT_WITH_FACTS = insertWith(FACTS);

/** The statements that admit starts, each for several workspaces. */
export class AdmissionStatements extends BatchStatements {
  /** Waits until nobody else has locked the workspaces, and locks them. */
  lock(): Promise<unknown> {
    return this.send('starts-lock', 'SELECT FROM workspaces WHERE id = ANY ($1::uuid[]) FOR NO KEY UPDATE');
  }

  /**
   * Locks the workspaces and reads them with the flows of starts. Workspaces that somebody else has locked are left
   * out. Statements that are sent behind it see everything that was committed until then.
   */
  flowsOf(starts: Start[]): Promise<FlowRow[]> {
    const flows = new Map(starts.map(({ workspace_id, flow_id }) => [flow_id, { workspace_id, flow_id }]));
    return this.send(
      'starts-flows',
      `WITH workspace AS MATERIALIZED (
          SELECT id, session_limit, ${COUNTED.period} AS period, ${COUNTED.sessions} AS sessions_in_period,
            starts_are_events, primary_color, logo_url, brand, allowed_origins, require_customer_token
          FROM workspaces WHERE id = ANY ($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
        )
        SELECT workspace.*, flow.id AS flow_id, status, current_version, first_published_at,
          estimated_monthly_value::float AS estimated_monthly_value
        FROM ${jsonRows('$2', 'workspace_id uuid, flow_id uuid')} AS start
        JOIN workspace ON workspace.id = start.workspace_id
        JOIN flows AS flow ON flow.workspace_id = start.workspace_id AND flow.id = start.flow_id
        WHERE flow.workspace_id = ANY ($1::uuid[])`,
      [...flows.values()],
    );
  }

  /** Reads the ids of customer keys. They don't change while their workspace is locked. */
  customerKeys(): Promise<{ workspace_id: string; id: string }[]> {
    return this.send(
      'starts-customer-keys',
      'SELECT workspace_id, id FROM customer_keys WHERE workspace_id = ANY ($1::uuid[])',
    );
  }

  /** Reads sessions that exist: those that began under the idempotency keys of starts, or as these starts. */
  earlier(starts: Start[], column: keyof typeof FOUND_BY): Promise<SessionRow[]> {
    return this.send(
      `starts-by-${column}`,
      `SELECT workspace_id, session_id, locale, flow_id, flow_version, idempotency_key, request_hash
        FROM ${jsonRows('$2', `workspace_id uuid, ${column} ${FOUND_BY[column]}`)} AS start
        JOIN flow_sessions USING (workspace_id, ${column}) WHERE workspace_id = ANY ($1::uuid[])`,
      starts.map(({ workspace_id, session_id, idempotency }) => {
        return { workspace_id, session_id, idempotency_key: idempotency?.key };
      }),
    );
  }

  /** Counts sessions and inserts them, and records what is an event of that. */
  async write(admissions: Admission[]): Promise<void> {
    await Promise.all([
      this.count(admissions),
      this.insert(admissions),
      this.recordStarts(admissions.filter(({ workspace }) => workspace.starts_are_events)),
      this.record(
        admissions.flatMap(({ workspace: { id }, limitEvents }) =>
          limitEvents.map((event) => ({ ...event, workspace_id: id })),
        ),
      ),
    ]);
  }

  private count(admissions: Admission[]): Promise<unknown> {
    return this.send(
      'starts-count',
      COUNT_SESSIONS,
      admissions.map(({ workspace: { id, period, sessions_in_period }, begun }) => {
        return { id, period, sessions: sessions_in_period + begun.length };
      }),
    );
  }

  private insert(admissions: Admission[]): Promise<unknown> {
    const rows = admissions.flatMap(({ workspace: { period }, begun }) => {
      const month = { period_start: period, period_end: endOf(period) };
      return begun.map((one) => ({ ...columnsOf(one), ...month }));
    });
    // Most know no facts. Postgres would prepare for them all the same.
    const hasFacts = rows.some(({ claimed_facts, asks_sessions }) => claimed_facts || asks_sessions);
    return hasFacts
      ? this.send('starts-insert-with-facts', INSERT_WITH_FACTS, rows)
      : this.send('starts-insert', INSERT, rows);
  }

  /** One event of each workspace names all its new sessions. */
  private async recordStarts(admissions: Admission[]): Promise<void> {
    if (admissions.length === 0) return;
    await this.send(
      'starts-record',
      recordFrom(
        `SELECT workspace_id, 'session.started' AS type, array_agg(id) AS flow_session_ids, created_at
        FROM ${jsonRows('$2', 'workspace_id uuid, session_id uuid')} AS begun
        JOIN flow_sessions USING (workspace_id, session_id) WHERE workspace_id = ANY ($1::uuid[])
        GROUP BY workspace_id, created_at`,
      ),
      admissions.flatMap(({ begun }) => begun.map(({ workspace_id, session_id }) => ({ workspace_id, session_id }))),
    );
  }
}

/** The columns of a session that its start says. */
function columnsOf({ version, customer, signed_by, claimed_facts, idempotency, ...begun }: NewSession) {
  const { workspace_id, session_id, flow_id, source, locale, estimated_monthly_value } = begun;
  const monthly = customer?.subscription && monthlyOf(customer.subscription);
  return {
    workspace_id,
    session_id,
    flow_id,
    flow_version: version.version,
    source,
    locale,
    current_node_key: version.definition.entry,
    customer_id: customer?.id,
    customer_verified: signed_by !== undefined,
    customer: customer && { email: customer.email, attributes: customer.attributes },
    subscription_id: customer?.subscription?.id,
    billing_customer_id: customer?.billing_id,
    monthly_amount: monthly?.amount,
    currency: monthly?.currency,
    amount_verified: monthly !== undefined && signed_by !== undefined,
    estimated_monthly_value: monthly ? undefined : estimated_monthly_value,
    claimed_facts,
    asks_sessions: (customer && factsIn(version, 'sessions').length > 0) || undefined,
    idempotency_key: idempotency?.key,
    request_hash: idempotency && `\\x${idempotency.request_hash.toString('hex')}`,
  };
}
