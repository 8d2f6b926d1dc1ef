import { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers may read when their subscription ends, before they go to the cancellation page. */
export class WordsAfterCancelling1796900000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE flow_versions ADD after_cancel text NOT NULL DEFAULT 'go' CONSTRAINT flow_versions_after_cancel_check CHECK (after_cancel IN ('go', 'stay')),
        ADD canceled_title text NOT NULL DEFAULT '', ADD canceled_body text NOT NULL DEFAULT '',
        ADD translations jsonb NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
