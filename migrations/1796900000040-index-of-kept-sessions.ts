import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds sessions by `kept_at`. The service goes on meanwhile. If it is interrupted, the index is made anew. */
export class IndexOfKeptSessions1796900000040 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS flow_sessions_kept`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY flow_sessions_kept ON flow_sessions (workspace_id, kept_at) WHERE kept_at IS NOT NULL`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
