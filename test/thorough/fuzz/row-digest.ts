import type { DataSource } from 'typeorm';

export interface RowDigest {
  /** Of all rows of the workspace. */
  own: string;
  /** Of all rows of all other workspaces. */
  others: string;
}

/** What a job writes, whatever is asked. */
const WRITTEN_BY_JOBS = ['daily_sums'];

/** A digest of every row of every table, without last_used_at of API keys, which is written after the response. */
export async function digestRows(database: DataSource, workspaceId: string): Promise<RowDigest> {
  const written = database.entityMetadatas.filter(({ tableName }) => !WRITTEN_BY_JOBS.includes(tableName));
  const tables = written.map(({ tableName, columns }) => {
    const stored = columns.filter(({ isVirtualProperty }) => !isVirtualProperty);
    const names = stored.map(({ databaseName }) => `"${databaseName}"`).filter((name) => name !== '"last_used_at"');
    // People are of no workspace.
    const isOwn = names.includes('"workspace_id"')
      ? 'workspace_id = $1'
      : tableName === 'workspaces'
        ? 'id = $1'
        : 'false';
    return `SELECT ${isOwn} AS own, hashtextextended(ROW(${names.join(', ')})::text, 0) AS hash FROM ${tableName}`;
  });
  const rows = await database.query<{ own: boolean; digest: string }[]>(
    `SELECT own, sum(hash) AS digest FROM (${tables.join(' UNION ALL ')}) AS rows GROUP BY own`,
    [workspaceId],
  );
  const digest = (own: boolean) => rows.find((row) => row.own === own)?.digest ?? '';
  return { own: digest(true), others: digest(false) };
}

/** How often nobody may be found at work before it is believed: between two statements, a request is not seen. */
const IDLE = 10;

/** Resolves when no statement is executed any more, and no transaction is open. */
export async function untilIdle(database: DataSource): Promise<void> {
  for (let idle = 0; idle < IDLE;) {
    const [{ busy }] = await database.query<{ busy: boolean }[]>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()) AS busy`,
    );
    idle = busy ? 0 : idle + 1;
  }
}
