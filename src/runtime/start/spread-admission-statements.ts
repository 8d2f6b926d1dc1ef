import { newIdAt } from '../../common/ids';
import { NOW } from '../../database/time';
import { COUNTED, NEAR_LIMIT } from '../../workspaces/usage';
import { AdmissionStatements, RECORD, rowOf, type Write, type Written } from './admission-statements';

const COUNT = {
  name: 'admission-spread-count',
  text: `UPDATE workspaces SET usage_period = ${COUNTED.period}, sessions_used = ${COUNTED.sessions} + $2 WHERE id = $1
    RETURNING id AS workspace_id, session_limit, usage_period, sessions_used, starts_are_events,
      sessions_used >= ${NEAR_LIMIT} AS is_near_limit`,
};

const TIME = { name: 'admission-spread-time', text: `SELECT ${NOW} AS time` };

/** $1 the workspace as it is counted, $2 the sessions. */
const RECORD_ONE = {
  name: 'admission-spread-record',
  text: `WITH counted AS (
      SELECT * FROM jsonb_to_record($1) AS workspace (workspace_id uuid, session_limit integer, usage_period timestamptz,
        sessions_used integer, starts_are_events boolean, starts integer, started_at timestamptz)
    ), inserted AS (SELECT workspace_id, unnest($2::uuid[]) AS id FROM counted)
    ${RECORD}`,
};

interface Counted {
  workspace_id: string;
  session_limit: number;
  usage_period: Date;
  sessions_used: number;
  starts_are_events: boolean;
  is_near_limit: boolean;
}

/** The statements of an admission if Citus spreads the tables: each asks the one server that the workspace lies on. */
export class SpreadAdmissionStatements extends AdmissionStatements {
  override async writeLocked({ workspace, begun }: Write): Promise<Written[]> {
    const [counting, reading] = await Promise.all([
      this.send<Counted>({ ...COUNT, values: [workspace.id, begun.length] }),
      this.send<{ time: Date }>(TIME),
    ]);
    const [{ is_near_limit, ...counted }] = counting.rows;
    const started_at = new Date(Math.max(reading.rows[0].time.getTime(), counted.usage_period.getTime()));
    const sessions = begun.map((one) => ({ ...rowOf(one), id: newIdAt(started_at), status: 'in_progress' }));
    await this.insert(sessions, started_at);
    const has_events = counted.starts_are_events || is_near_limit;
    if (has_events) {
      const ids = sessions.map(({ id }) => id);
      const values = [JSON.stringify({ ...counted, starts: begun.length, started_at }), ids];
      await this.send({ ...RECORD_ONE, values });
    }
    return [{ workspace_id: workspace.id, has_events }];
  }

  private async insert(sessions: Record<string, unknown>[], started_at: Date): Promise<void> {
    const columns = Object.keys(sessions[0]);
    const rows = sessions.map((session) => columns.map((column) => session[column]));
    const placeholders = rows.map(
      (row, index) => `(${row.map((_, at) => `$${index * columns.length + at + 2}`).join(', ')}, $1, $1)`,
    );
    const text = `INSERT INTO flow_sessions (${columns.join(', ')}, created_at, updated_at) VALUES ${placeholders.join(', ')}`;
    await this.send({ text, values: [started_at, ...rows.flat()] });
  }
}
