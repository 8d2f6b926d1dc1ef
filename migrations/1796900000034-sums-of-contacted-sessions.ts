import { MigrationInterface, QueryRunner } from 'typeorm';

/** The sums of a day count the sessions that ended as `contacted`. */
export class SumsOfContactedSessions1796900000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE daily_sums ADD COLUMN contacted integer NOT NULL DEFAULT 0');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
