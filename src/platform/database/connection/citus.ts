import { DataSource } from 'typeorm';

/**
 * Whether Citus spreads the tables over several servers (docs/citus.md). A workspace lies on one of them. There, a
 * statement that names one workspace is fast, and one that locks or writes rows of several is slow or refused.
 */
export class Citus {
  private constructor(readonly isPresent: boolean) {}

  /** How many keys may share a transaction: sessions, or workspaces. */
  keysOfBatch(most: number): number {
    return this.isPresent ? 1 : most;
  }

  static async detect({ manager }: DataSource): Promise<Citus> {
    const [{ has_citus }] = await manager.query<{ has_citus: boolean }[]>(
      `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS has_citus`,
    );
    if (!has_citus) return new Citus(false);
    const spread = `SELECT FROM pg_dist_partition WHERE logicalrelid = 'workspaces'::regclass`;
    return new Citus((await manager.query<object[]>(spread)).length > 0);
  }
}
