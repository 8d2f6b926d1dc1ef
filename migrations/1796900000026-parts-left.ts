import { MigrationInterface, QueryRunner } from 'typeorm';

/** Each fulfilment says what it leaves of the price. Those of older versions have null. */
export class PartsLeft1796900000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fulfilments ADD COLUMN part_left double precision');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
