import type { DataSource } from 'typeorm';

export interface Digest {
  /** Of all rows of the workspace. */
  own: string;
  /** Of all rows of all others. */
  others: string;
}

/** A digest of every row of every table, but for when a key was last used, which is written off the request's way. */
export async function digestOf(database: DataSource, workspaceId: string): Promise<Digest> {
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
  const of = (own: boolean) => rows.find((row) => row.own === own)?.digest ?? '';
  return { own: of(true), others: of(false) };
}
