import { MigrationInterface, QueryRunner } from 'typeorm';

/** A version holds the audiences that its branches name, as they were when it was published. */
export class HeldAudiences1796900000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_versions ADD audiences jsonb NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
