import { MigrationInterface, QueryRunner } from 'typeorm';

/** The draft of an offer has them, too: its outcome, and the data for a component of the site's own. */
export class OpenOffersInDrafts1796900000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE offer_drafts ADD COLUMN outcome text NOT NULL DEFAULT 'saved', ADD COLUMN kind text, ADD COLUMN data jsonb,
        ADD CONSTRAINT offer_drafts_outcome_check CHECK (outcome IN ('saved', 'open'))`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
