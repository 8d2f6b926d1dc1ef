import { MigrationInterface, QueryRunner } from 'typeorm';

/** A session may end without a decision: its customer accepted an offer that is no save. */
export class ContactedSessions1796900000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE flow_sessions DROP CONSTRAINT flow_sessions_status_check,
        ADD CONSTRAINT flow_sessions_status_check CHECK (status IN ('in_progress', 'saved', 'canceled', 'contacted')) NOT VALID,
        DROP CONSTRAINT flow_sessions_accepted_offer_check,
        ADD CONSTRAINT flow_sessions_accepted_offer_check CHECK (accepted_offer IS NULL OR status IN ('saved', 'contacted')) NOT VALID`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
