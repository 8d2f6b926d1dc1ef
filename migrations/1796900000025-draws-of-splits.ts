import { MigrationInterface, QueryRunner } from 'typeorm';

/** A version says which one drew the arms of its splits anew. */
export class DrawsOfSplits1796900000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_versions ADD draws jsonb NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
