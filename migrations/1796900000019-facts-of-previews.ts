import { MigrationInterface, QueryRunner } from 'typeorm';

/** Previews walk with facts, too. */
export class FactsOfPreviews1796900000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE previews ADD facts jsonb NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
