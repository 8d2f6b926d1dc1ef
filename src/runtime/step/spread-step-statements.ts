import { NOW } from '../../database/time';
import { EVENT_ID } from '../../events/outbox.service';
import { type End, LOCKED, type LockedSession, type Move, type SessionKey, StepStatements } from './step-statements';

/** The statements that take steps of one session, if Citus spreads the tables: each asks the one server that it lies on. */
export class SpreadStepStatements extends StepStatements {
  override async lock([{ workspaceId, sessionId }]: SessionKey[]): Promise<LockedSession[]> {
    const { rows } = await this.client.query<LockedSession>(
      `SELECT ${LOCKED} FROM flow_sessions AS session WHERE workspace_id = $1 AND session_id = $2 FOR NO KEY UPDATE`,
      [workspaceId, sessionId],
    );
    return rows;
  }

  override async write([{ session, standing, steps }]: Move[]): Promise<void> {
    const key = [session.workspace_id, session.id];
    const { rows } = await this.client.query<{ taken: number }>(
      'SELECT count(*)::integer AS taken FROM session_steps WHERE workspace_id = $1 AND flow_session_id = $2',
      key,
    );
    const moving = this.client.query(
      `UPDATE flow_sessions SET status = $3, current_node_key = $4, presented_offer = $5, accepted_offer = $6,
        updated_at = ${NOW} WHERE workspace_id = $1 AND id = $2`,
      [...key, standing.status, standing.node_key, standing.presented_offer, standing.accepted_offer],
    );
    const taking = steps.map(({ node_key, node_type, action, option, comment, offer, ways }, index) =>
      this.client.query(
        `INSERT INTO session_steps
          (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, ways, created_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${NOW})`,
        [
          ...key,
          rows[0].taken + index + 1,
          node_key,
          node_type,
          action,
          option,
          session.is_erased ? null : comment,
          offer,
          ways,
        ],
      ),
    );
    await Promise.all([moving, ...taking]);
  }

  override async record([end]: End[]): Promise<void> {
    if (!end) return;
    await this.client.query(
      `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at) VALUES ($1, ${EVENT_ID}, $2, $3, ${NOW})`,
      [end.workspace_id, end.type, [end.flow_session_id]],
    );
  }
}
