import { MigrationInterface, QueryRunner } from 'typeorm';

/** Who declared may confirm, from the mail of the receipt, that it was them. */
export class ConfirmedDeclarations1796900000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE declarations ADD confirmation_key uuid, ADD confirmed_at timestamptz`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
