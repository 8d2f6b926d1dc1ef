import { MigrationInterface, QueryRunner } from 'typeorm';

/** Each fulfilment keeps what it does to the subscription. Rows of older versions have null. */
export class Effects1796900000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fulfilments ADD COLUMN effect jsonb');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
