import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { idFrom, idTime } from '../../common/ids';
import { NOW } from '../../database/time';
import type { Flow } from '../../flows/flow.entity';
import { COUNTED } from '../../workspaces/usage';
import type { Workspace } from '../../workspaces/workspace.entity';
import type { Begun, Start, WorkspaceSettings } from './admission-rules';
import type { FlowSession } from '../flow-session.entity';

type WorkspaceRow = WorkspaceSettings & Pick<Workspace, 'session_limit' | 'sessions_used'>;
export type FlowRow = Pick<Flow, 'id' | 'status' | 'current_version' | 'first_published_at'>;
type SessionRow = Pick<FlowSession, 'session_id' | 'flow_id' | 'flow_version'> & {
  idempotency_key: string;
  request_hash: Buffer;
};

/** Whether a write failed because another session has one of its idempotency keys. */
export function isKeyTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'flow_sessions_idempotency_key';
}

/** Whether a write failed because its sessions exist: it was sent before and committed, although an error was reported. */
export function isWrittenBefore(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'flow_sessions_session_id_key';
}

/**
 * The sessions of the workspace $1 with one of the keys. Each key is looked up by itself (a subquery with LIMIT is): with
 * ANY, Postgres before 17 reads all keys of the workspace as long as it takes the table for small.
 */
const withKeys = (keys: '$2' | '$8', columns = '') => `unnest(${keys}::text[]) AS key CROSS JOIN LATERAL
  (SELECT ${columns} FROM flow_sessions WHERE workspace_id = $1 AND idempotency_key = key LIMIT 1) AS earlier`;

/** Added only if a start has a key. */
const KEYS_ARE_FREE = `AND NOT EXISTS (SELECT FROM ${withKeys('$8')})`;

/**
 * The statements of an admission. The SQL is written by hand, because mapping entities costs four times the statement. It
 * is prepared by name unless a pooler stands before Postgres, because planning costs as much as executing. Statements that
 * don't need each other's results are sent together.
 */
export class AdmissionStatements {
  constructor(
    private readonly client: PoolClient,
    private readonly workspaceId: string,
    /** Whether the connection keeps prepared statements. Behind a pooler it doesn't. */
    private readonly canPrepare: boolean,
  ) {}

  /** Locks the workspace's row. Later statements see everything that was committed while this one waited. */
  async lock(): Promise<WorkspaceRow> {
    const { rows } = await this.send<WorkspaceRow>({
      name: 'admission-lock',
      text: `SELECT session_limit, ${COUNTED.sessions} AS sessions_used, primary_color, logo_url, allowed_origins
        FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      values: [this.workspaceId],
    });
    return rows[0];
  }

  /** Reads the flows, and locks them against changes until the transaction ends. */
  async flowsOf(starts: Start[]): Promise<FlowRow[]> {
    const { rows } = await this.send<FlowRow>({
      name: 'admission-flows',
      text: `SELECT id, status, current_version, first_published_at
        FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) FOR SHARE`,
      values: [this.workspaceId, [...new Set(starts.map(({ flow_id }) => flow_id))]],
    });
    return rows;
  }

  /** Reads the sessions that began before under one of the starts' idempotency keys. */
  async earlierThan(starts: Start[]): Promise<SessionRow[]> {
    const keys = starts.flatMap(({ idempotency }) => idempotency?.key ?? []);
    if (keys.length === 0) return [];
    const { rows } = await this.send<SessionRow>({
      name: 'admission-earlier',
      text: `SELECT earlier.* FROM
        ${withKeys('$2', 'session_id, flow_id, flow_version, idempotency_key, request_hash')}`,
      values: [this.workspaceId, keys],
    });
    return rows;
  }

  /**
   * Inserts the sessions and counts them in this month, under the lock that the UPDATE takes. It writes all of them, or none
   * and returns false if something has changed since they were decided: a setting of the workspace, the room under its limit,
   * a flow's status or version, or a session with one of the keys. A session that takes a key at the same moment makes the
   * statement fail (see `isKeyTaken`).
   */
  async write(begun: Begun[], settings: WorkspaceSettings): Promise<boolean> {
    const column = (value: (start: Begun) => unknown) => begun.map(value);
    const versions = new Map(begun.map(({ flow_id, version }) => [flow_id, version.version]));
    const flows = [...versions].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const hasKeys = begun.some(({ idempotency }) => idempotency);
    const { rowCount } = await this.send({
      name: hasKeys ? 'admission-write-keyed' : 'admission-write',
      text: `WITH counted AS (
          UPDATE workspaces SET usage_period = ${COUNTED.period}, sessions_used = ${COUNTED.sessions} + $10
          WHERE id = $1 AND (${COUNTED.sessions})::bigint + $10 <= session_limit
            AND primary_color = $11 AND logo_url = $12 AND allowed_origins = $13
            AND (SELECT array_agg(current_version ORDER BY id) FROM flows
              WHERE workspace_id = $1 AND id = ANY ($14::uuid[]) AND status = 'published') = $15::integer[]
            ${hasKeys ? KEYS_ARE_FREE : ''}
          RETURNING id AS workspace_id, greatest(${NOW}, usage_period) AS started_at,
            ${idTime(`greatest(${NOW}, usage_period)`)} AS id_time
        )
        INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key,
          customer_id, customer, idempotency_key, request_hash, created_at, updated_at)
        SELECT workspace_id, ${idFrom('id_time', 'gen_random_uuid()::text')}, session_id, flow_id, flow_version, 'in_progress', node,
          customer_id, customer, idempotency_key, request_hash, started_at, started_at
        FROM counted CROSS JOIN
          unnest($2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::bytea[])
          AS begun (session_id, flow_id, flow_version, node, customer_id, customer, idempotency_key, request_hash)`,
      values: [
        this.workspaceId,
        column(({ session_id }) => session_id),
        column(({ flow_id }) => flow_id),
        column(({ version }) => version.version),
        column(({ version }) => version.definition.entry),
        column(({ customer }) => customer?.id),
        column(
          ({ customer }) => customer && JSON.stringify({ email: customer.email, attributes: customer.attributes }),
        ),
        column(({ idempotency }) => idempotency?.key),
        column(({ idempotency }) => idempotency?.request_hash),
        begun.length,
        settings.primary_color,
        settings.logo_url,
        settings.allowed_origins,
        flows.map(([id]) => id),
        flows.map(([, version]) => version),
      ],
    });
    return rowCount === begun.length;
  }

  private send<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return this.client.query<Row>(this.canPrepare ? query : { ...query, name: undefined });
  }
}
