import { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers confirm a declaration from the mail of its receipt. */
export class ConfirmedDeclarations1796900000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE declarations ADD confirmation_key uuid, ADD confirmed_at timestamptz`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
