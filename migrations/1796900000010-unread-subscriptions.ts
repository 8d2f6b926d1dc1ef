import { MigrationInterface, QueryRunner } from 'typeorm';

/** A connection knows which subscriptions of saved customers can't be read. */
export class UnreadSubscriptions1796900000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing_connections ADD unread_subscriptions text[] NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
