import { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of offers say when and to whom they are made. */
export class OfferedInVersions1796900000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE offer_versions ADD available jsonb, ADD "when" jsonb`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
