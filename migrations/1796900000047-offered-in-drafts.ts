import { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts of offers say when and to whom they will be made. */
export class OfferedInDrafts1796900000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE offer_drafts ADD available jsonb, ADD "when" jsonb`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
