import { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace may limit how often a customer accepts offers, whichever they are. */
export class OfferLimits1796900000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN offer_limit jsonb');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
