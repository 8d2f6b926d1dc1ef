import { MigrationInterface, QueryRunner } from 'typeorm';

/** What ends soon is found without all that was applied. */
export class IndexesOfEnds1796900000015 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS fulfilments_ending');
    await runner.query(`
      CREATE INDEX CONCURRENTLY fulfilments_ending ON fulfilments (workspace_id, (effect ->> 'until'), flow_session_id)
      WHERE state = 'applied' AND effect ->> 'kind' IN ('discount', 'pause', 'extension')`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
