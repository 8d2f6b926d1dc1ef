import type { DataSource } from 'typeorm';

export interface RowDigest {
  /** Of all rows of the workspace. */
  own: string;
  /** Of all rows of all other workspaces. */
  others: string;
}

/** A digest of every row of every table, without last_used_at of API keys, which is written after the response. */
export async function digestRows(database: DataSource, workspaceId: string): Promise<RowDigest> {
  const tables = database.entityMetadatas.map(({ tableName, columns }) => {
    const stored = columns.filter(({ isVirtualProperty }) => !isVirtualProperty);
    const names = stored.map(({ databaseName }) => databaseName).filter((name) => name !== 'last_used_at');
    const owner = names.includes('workspace_id') ? 'workspace_id' : 'id';
    return `SELECT ${owner} = $1 AS own, hash_record_extended(ROW(${names.join(', ')}), 0) AS hash FROM ${tableName}`;
  });
  const rows = await database.query<{ own: boolean; digest: string }[]>(
    `SELECT own, sum(hash) AS digest FROM (${tables.join(' UNION ALL ')}) AS rows GROUP BY own`,
    [workspaceId],
  );
  const digest = (own: boolean) => rows.find((row) => row.own === own)?.digest ?? '';
  return { own: digest(true), others: digest(false) };
}
