import { MigrationInterface, QueryRunner } from 'typeorm';

/** A connection may be to an account of a platform, and says what becomes of open invoices. */
export class Accounts1796900000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE billing_connections ADD account text,
        ADD unpaid_on_cancel text NOT NULL DEFAULT 'leave'
          CONSTRAINT billing_connections_unpaid_on_cancel_check CHECK (unpaid_on_cancel IN ('leave', 'void'))`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
