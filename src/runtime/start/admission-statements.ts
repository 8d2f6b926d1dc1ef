import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { eventIdAt, idFrom, idTime } from '../../common/ids';
import { jsonRows } from '../../database/json-rows';
import type { Pooler } from '../../database/pooler';
import { EXACT_NOW, NOW } from '../../database/time';
import type { Flow } from '../../flows/flow.entity';
import { COUNTED, NEAR_LIMIT } from '../../workspaces/usage';
import type { FlowSession } from '../flow-session.entity';
import type { Begun, Start, StartableFlow, WorkspaceSettings } from './admission-rules';

export type WorkspaceRow = WorkspaceSettings & { room: number };
export type FlowRow = Pick<Flow, 'id' | 'revision' | 'status' | 'current_version' | 'first_published_at'>;
type SessionRow = Pick<FlowSession, 'session_id' | 'flow_id' | 'flow_version' | 'idempotency_key' | 'request_hash'>;

/** Sessions of one workspace to write, with the revisions that they were decided on. */
export interface Write {
  workspace: WorkspaceSettings;
  flows: Map<string, StartableFlow>;
  begun: Begun[];
}

/** A workspace whose sessions were written. */
export interface Written {
  workspace_id: string;
  /** Whether there are events of it in the outbox. */
  has_events: boolean;
}

interface Variant {
  /** Whether workspaces are left out whose rows somebody has locked. Otherwise they are waited for. */
  onlyFree: boolean;
  /**
   * Whether workspaces are left out whose count would get to 80 % or to 100 % of the limit, which are events. The statement
   * then records no events. Most starts are no events, and this way they don't pay for those that are.
   */
  onlyQuiet: boolean;
}

const USED_AFTER = `(${COUNTED.sessions})::bigint + batch.starts`;
const STAYS_QUIET = `(${USED_AFTER} < ${NEAR_LIMIT} OR (${COUNTED.sessions} >= ${NEAR_LIMIT} AND ${USED_AFTER} < session_limit))`;
const FREE = `CROSS JOIN LATERAL
      (SELECT id FROM workspaces WHERE id = batch.id FOR NO KEY UPDATE SKIP LOCKED) AS free`;

/**
 * Records the starts, if they are events of the workspace, and the marks of the limit that its count got to. `counted` are
 * the workspaces, `inserted` their new sessions.
 */
export const RECORD = `
    INSERT INTO outbox (workspace_id, id, type, flow_session_ids, data, created_at)
    SELECT workspace_id, ${eventIdAt(`greatest(${EXACT_NOW}, started_at)`)}, type, flow_session_ids, data, started_at
    FROM (
      SELECT workspace_id, started_at, 'session.started' AS type, array_agg(id) AS flow_session_ids, NULL::jsonb AS data
      FROM counted JOIN inserted USING (workspace_id)
      WHERE starts_are_events
      GROUP BY workspace_id, started_at
      UNION ALL
      SELECT workspace_id, started_at, mark.type, NULL, jsonb_build_object('session_limit', session_limit,
        'sessions_used', sessions_used, 'period_start', to_char(usage_period AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM counted CROSS JOIN LATERAL (VALUES
        ('workspace.limit_approaching', nullif(${NEAR_LIMIT}, session_limit)), ('workspace.limit_reached', session_limit)
      ) AS mark (type, sessions)
      WHERE sessions_used - starts < mark.sessions AND mark.sessions <= sessions_used
    ) AS event
    RETURNING workspace_id`;

/**
 * $1 workspaces, $2 flows, $3 idempotency keys, $4 sessions, each as a JSON array of rows. Guards stand in the UPDATE,
 * because there they are checked on the row as it is under its lock.
 */
const writeSql = ({ onlyFree, onlyQuiet }: Variant) => `
  WITH counted AS (
    UPDATE workspaces
    SET usage_period = ${COUNTED.period}, sessions_used = ${COUNTED.sessions} + batch.starts
    FROM ${jsonRows('$1', 'id uuid, revision integer, starts integer')} AS batch ${onlyFree ? FREE : ''}
    WHERE workspaces.id = batch.id
      AND workspaces.revision = batch.revision
      AND ${onlyQuiet ? STAYS_QUIET : `${USED_AFTER} <= session_limit`}
      AND NOT EXISTS (
        SELECT FROM ${jsonRows('$2', 'workspace_id uuid, id uuid, revision integer')} AS expected
        WHERE expected.workspace_id = workspaces.id AND expected.revision IS DISTINCT FROM
          (SELECT revision FROM flows WHERE workspace_id = expected.workspace_id AND id = expected.id))
      AND NOT EXISTS (
        SELECT FROM ${jsonRows('$3', 'workspace_id uuid, idempotency_key text')} AS new
        WHERE new.workspace_id = workspaces.id AND
          (SELECT true FROM flow_sessions WHERE workspace_id = new.workspace_id AND idempotency_key = new.idempotency_key))
    RETURNING workspaces.id AS workspace_id, greatest(${NOW}, usage_period) AS started_at,
      ${idTime(`greatest(${NOW}, usage_period)`)} AS id_time,
      session_limit, usage_period, sessions_used, batch.starts, starts_are_events
  ), inserted AS (
    INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key,
      customer_id, customer, customer_verified, idempotency_key, request_hash, created_at, updated_at)
    SELECT workspace_id, ${idFrom('id_time', 'gen_random_uuid()::text')}, session_id, flow_id, flow_version, 'in_progress',
      current_node_key, customer_id, customer, customer_verified, idempotency_key, request_hash, started_at, started_at
    FROM counted JOIN ${jsonRows(
      '$4',
      `workspace_id uuid, session_id uuid, flow_id uuid, flow_version integer, current_node_key text, customer_id text,
        customer jsonb, customer_verified boolean, idempotency_key text, request_hash bytea`,
    )} AS begun USING (workspace_id)
    ${onlyQuiet ? '' : 'RETURNING workspace_id, id'}
  )${onlyQuiet ? '' : `, recorded AS (${RECORD})`}
  SELECT workspace_id, ${onlyQuiet ? 'false' : 'workspace_id IN (SELECT workspace_id FROM recorded)'} AS has_events
  FROM counted`;

const variant = (name: string, of: Variant) => ({ name: `admission-write-${name}`, text: writeSql(of) });

/** For many workspaces: takes those whose rows are free. */
const WRITE_FREE = {
  quiet: variant('free-quiet', { onlyFree: true, onlyQuiet: true }),
  recording: variant('free', { onlyFree: true, onlyQuiet: false }),
};

/** For one workspace: waits for its row. */
const WRITE_ONE = {
  quiet: variant('one-quiet', { onlyFree: false, onlyQuiet: true }),
  recording: variant('one', { onlyFree: false, onlyQuiet: false }),
};

/** The sessions of a workspace with one of the values. The LIMIT makes Postgres look each up in an index. */
const earlier = (values: string, column: string) => `
  SELECT session.* FROM ${values} AS value CROSS JOIN LATERAL
    (SELECT session_id, flow_id, flow_version, idempotency_key, request_hash FROM flow_sessions
      WHERE workspace_id = $1 AND ${column} = value LIMIT 1) AS session`;

/**
 * The statements of an admission. The SQL is written by hand, because mapping entities costs four times the statement. It
 * is prepared by name unless a pooler stands before Postgres, because planning costs as much as executing. Statements that
 * don't need each other's results are sent together.
 */
export class AdmissionStatements {
  constructor(
    private readonly client: PoolClient,
    private readonly pooler: Pooler,
  ) {}

  /** Locks the workspace's row. Later statements see everything that was committed while this one waited. */
  async lock(workspaceId: string): Promise<Omit<WorkspaceRow, 'customer_keys'>> {
    const { rows } = await this.send<Omit<WorkspaceRow, 'customer_keys'>>({
      name: 'admission-lock',
      text: `SELECT id, revision, session_limit - ${COUNTED.sessions} AS room,
          starts_are_events, primary_color, logo_url, allowed_origins, require_customer_token
        FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      values: [workspaceId],
    });
    return rows[0];
  }

  /** Reads the ids of the customer keys. They don't change as long as the workspace's row is locked. */
  async customerKeysOf(workspaceId: string): Promise<string[]> {
    const { rows } = await this.send<{ id: string }>({
      name: 'admission-customer-keys',
      text: 'SELECT id FROM customer_keys WHERE workspace_id = $1',
      values: [workspaceId],
    });
    return rows.map(({ id }) => id);
  }

  /** Reads the flows, and locks them against changes until the transaction ends. */
  async flowsOf(workspaceId: string, starts: Start[]): Promise<FlowRow[]> {
    const { rows } = await this.send<FlowRow>({
      name: 'admission-flows',
      text: `SELECT id, revision, status, current_version, first_published_at
        FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) FOR SHARE`,
      values: [workspaceId, [...new Set(starts.map(({ flow_id }) => flow_id))]],
    });
    return rows;
  }

  /**
   * Reads the sessions that began before under one of the starts' idempotency keys, and those that the starts themselves
   * began: they were sent before and committed, although an error was reported.
   */
  async earlierThan(workspaceId: string, starts: Start[]): Promise<SessionRow[]> {
    const keys = starts.flatMap(({ idempotency }) => idempotency?.key ?? []);
    const { rows } = await this.send<SessionRow>({
      name: 'admission-earlier',
      text: `${earlier('unnest($2::text[])', 'idempotency_key')} UNION ALL ${earlier('unnest($3::uuid[])', 'session_id')}`,
      values: [workspaceId, keys, starts.map(({ session_id }) => session_id)],
    });
    return rows;
  }

  /**
   * Inserts the sessions of several workspaces and counts them in this month. Returns the workspaces whose sessions were
   * all written; of the others, none was: somebody holds the workspace's row, its settings or a flow have another revision
   * than expected, the limit leaves too little room or is about to be an event, or an idempotency key is taken. It waits
   * for no lock.
   */
  writeFree(writes: Write[]): Promise<Written[]> {
    const isQuiet = writes.every(({ workspace }) => !workspace.starts_are_events);
    return this.write(WRITE_FREE[isQuiet ? 'quiet' : 'recording'], writes);
  }

  /** The same for one workspace, whose row it waits for. */
  writeOne(write: Write): Promise<Written[]> {
    return this.write(WRITE_ONE[write.workspace.starts_are_events ? 'recording' : 'quiet'], [write]);
  }

  /** The same for one workspace that is locked and has room, whatever is an event of it. */
  writeLocked(write: Write): Promise<Written[]> {
    return this.write(WRITE_ONE.recording, [write]);
  }

  private async write(statement: { name: string; text: string }, writes: Write[]): Promise<Written[]> {
    const begun = writes.flatMap((write) => write.begun);
    const { rows } = await this.send<Written>({
      ...statement,
      values: [
        writes.map(({ workspace: { id, revision }, begun }) => ({ id, revision, starts: begun.length })),
        writes.flatMap(({ workspace, flows }) =>
          [...flows.values()].map(({ flow: { id, revision } }) => ({ workspace_id: workspace.id, id, revision })),
        ),
        begun.flatMap(({ workspace_id, idempotency }) =>
          idempotency ? { workspace_id, idempotency_key: idempotency.key } : [],
        ),
        begun.map(rowOf),
      ].map((rows) => JSON.stringify(rows)),
    });
    return rows;
  }

  protected send<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return this.client.query<Row>(this.pooler.prepared(query));
  }
}

/** The columns of a session that its start says. */
export function rowOf({ workspace_id, session_id, flow_id, version, customer, signed_by, idempotency }: Begun) {
  return {
    workspace_id,
    session_id,
    flow_id,
    flow_version: version.version,
    current_node_key: version.definition.entry,
    customer_id: customer?.id,
    customer_verified: signed_by !== undefined,
    customer: customer && { email: customer.email, attributes: customer.attributes },
    idempotency_key: idempotency?.key,
    request_hash: idempotency && `\\x${idempotency.request_hash.toString('hex')}`,
  };
}
