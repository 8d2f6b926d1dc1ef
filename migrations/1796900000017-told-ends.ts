import { MigrationInterface, QueryRunner } from 'typeorm';

/** What ends is told once. */
export class ToldEnds1796900000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fulfilments ADD ending_told_at timestamptz');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
