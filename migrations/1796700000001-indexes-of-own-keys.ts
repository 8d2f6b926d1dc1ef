import { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  offers_by_own_key: `offers (workspace_id, (COALESCE(key, 'offer-' || right(id::text, 12))))`,
  flows_by_own_key: `flows (workspace_id, (COALESCE(key, slug)))`,
};

/** Whether a key is free is found without reading what the workspace has. The service goes on meanwhile. */
export class IndexesOfOwnKeys1796700000001 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
