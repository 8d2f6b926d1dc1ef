import { MigrationInterface, QueryRunner } from 'typeorm';

/** A session says when it was reported that its customer stays, for who polls. */
export class KeptSessions1796900000039 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE flow_sessions ADD COLUMN kept_at timestamptz');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
