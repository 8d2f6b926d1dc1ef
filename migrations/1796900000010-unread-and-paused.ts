import { MigrationInterface, QueryRunner } from 'typeorm';

/** A connection says which subscriptions can't be read, and an outcome may be a pause. The next migration checks the rows. */
export class UnreadAndPaused1796900000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing_connections ADD unread_sessions uuid[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      ALTER TABLE outcomes DROP CONSTRAINT outcomes_type_check,
        ADD CONSTRAINT outcomes_type_check CHECK (type IN ('canceled', 'paid', 'paused')) NOT VALID`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
