import { MigrationInterface, QueryRunner } from 'typeorm';

/** A preview can be walked as a subscription of the billing system. */
export class PreviewsOfSubscriptions1796800000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE previews ADD eligibility jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE previews DROP eligibility');
  }
}
