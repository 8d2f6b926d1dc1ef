import { MigrationInterface, QueryRunner } from 'typeorm';

/** A version of an offer has what the offer had: its outcome, and the data for a component of the site's own. */
export class OpenOffersInVersions1796900000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE offer_versions ADD COLUMN outcome text NOT NULL DEFAULT 'saved', ADD COLUMN kind text, ADD COLUMN data jsonb,
        ADD CONSTRAINT offer_versions_outcome_check CHECK (outcome IN ('saved', 'open'))`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
