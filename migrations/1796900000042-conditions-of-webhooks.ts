import { MigrationInterface, QueryRunner } from 'typeorm';

/** A webhook may want only the events of sessions for which conditions hold. */
export class ConditionsOfWebhooks1796900000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhooks ADD "when" jsonb`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
