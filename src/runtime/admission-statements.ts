import type { PoolClient, QueryConfig } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Flow } from '../flows/flow.entity';
import type { Usage } from '../workspaces/usage';
import type { Workspace } from '../workspaces/workspace.entity';
import type { Begun, Start } from './admission-rules';
import type { FlowSession } from './flow-session.entity';

type WorkspaceRow = Omit<Workspace, 'id' | 'name' | 'created_at' | 'updated_at'>;
type FlowRow = Pick<Flow, 'id' | 'status' | 'current_version' | 'first_published_at'>;
type SessionRow = Pick<FlowSession, 'id' | 'flow_id' | 'flow_version' | 'idempotency_key' | 'request_hash'>;

/**
 * The statements of an admission: the one path where SQL is written by hand and prepared by name on the transaction's own
 * connection, because mapping entities would cost four times the statement. Statements that do not wait for each other's
 * result are sent together.
 */
export class AdmissionStatements {
  private constructor(
    private readonly client: PoolClient,
    private readonly workspaceId: string,
  ) {}

  static async on(manager: EntityManager, workspaceId: string): Promise<AdmissionStatements> {
    return new AdmissionStatements((await manager.queryRunner!.connect()) as PoolClient, workspaceId);
  }

  /**
   * Locks the workspace's row, then reads what its starts depend on. The reads are statements of their own, after the
   * lock, so that they see all that was committed while it was waited for.
   */
  async lockAndRead(starts: Start[]): Promise<{ workspace: WorkspaceRow; flows: FlowRow[]; sessions: SessionRow[] }> {
    const flowIds = [...new Set(starts.map(({ flow_id }) => flow_id))];
    const keys = starts.flatMap(({ idempotency }) => idempotency?.key ?? []);
    const [[workspace], flows, sessions] = await Promise.all([
      this.rows<WorkspaceRow>({
        name: 'admission-lock',
        text: `SELECT session_limit, usage_period, sessions_used, primary_color, logo_url, allowed_origins
          FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`,
        values: [this.workspaceId],
      }),
      this.rows<FlowRow>({
        name: 'admission-flows',
        text: `SELECT id, status, current_version, first_published_at
          FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
        values: [this.workspaceId, flowIds],
      }),
      keys.length === 0
        ? []
        : this.rows<SessionRow>({
            name: 'admission-earlier',
            text: `SELECT id, flow_id, flow_version, idempotency_key, request_hash
              FROM flow_sessions WHERE workspace_id = $1 AND idempotency_key = ANY ($2::text[])`,
            values: [this.workspaceId, keys],
          }),
    ]);
    return { workspace, flows, sessions };
  }

  /** Inserts the sessions and counts them, in one statement. */
  async write(begun: Begun[], { period_start, sessions_used }: Usage, now: Date): Promise<void> {
    const column = (value: (start: Begun) => unknown) => begun.map(value);
    await this.rows({
      name: 'admission-write',
      text: `WITH begun AS (
          INSERT INTO flow_sessions (id, workspace_id, flow_id, flow_version, status, current_node_key,
            customer_id, customer, idempotency_key, request_hash, created_at, updated_at)
          SELECT id, $1, flow_id, flow_version, 'in_progress', node, customer_id, customer, key, hash, $2, $2
          FROM unnest($3::uuid[], $4::uuid[], $5::integer[], $6::text[], $7::text[], $8::jsonb[], $9::text[], $10::bytea[])
            AS begun (id, flow_id, flow_version, node, customer_id, customer, key, hash)
        )
        UPDATE workspaces SET usage_period = $11, sessions_used = $12 WHERE id = $1`,
      values: [
        this.workspaceId,
        now,
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
        period_start,
        sessions_used + begun.length,
      ],
    });
  }

  private async rows<Row>(query: QueryConfig): Promise<Row[]> {
    return (await this.client.query(query)).rows as Row[];
  }
}
