import { MigrationInterface, QueryRunner } from 'typeorm';

/** A session says what began it, if that was a page of the service that shows flows to the team. */
export class SourcesOfSessions1796900000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE flow_sessions ADD COLUMN source text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
