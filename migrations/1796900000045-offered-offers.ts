import { MigrationInterface, QueryRunner } from 'typeorm';

/** What is live of an offer says when and to whom it is made. */
export class OfferedOffers1796900000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE offers ADD available jsonb, ADD "when" jsonb`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
