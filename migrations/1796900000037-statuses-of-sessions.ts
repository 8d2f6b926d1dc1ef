import { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows of flow_sessions that were there before, while others are written. */
export class StatusesOfSessions1796900000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE flow_sessions VALIDATE CONSTRAINT flow_sessions_status_check');
    await runner.query('ALTER TABLE flow_sessions VALIDATE CONSTRAINT flow_sessions_accepted_offer_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
