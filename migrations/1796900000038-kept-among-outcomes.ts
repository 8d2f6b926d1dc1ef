import { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows of outcomes that were there before, while others are written. */
export class KeptAmongOutcomes1796900000038 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outcomes VALIDATE CONSTRAINT outcomes_type_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
