import { MigrationInterface, QueryRunner } from 'typeorm';

/** An offer may be one that is no save, and have data for a component of the site's own. */
export class OpenOffers1796900000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE offers ADD COLUMN outcome text NOT NULL DEFAULT 'saved', ADD COLUMN kind text, ADD COLUMN data jsonb,
        ADD CONSTRAINT offers_outcome_check CHECK (outcome IN ('saved', 'open'))`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
