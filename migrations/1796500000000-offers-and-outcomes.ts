import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A session knows which offers the customer could get, and why some were withheld. An outcome says whether the billing system told it,
 * and whether it may be taken back.
 */
export class OffersAndOutcomes1796500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_sessions ADD eligibility jsonb`);
    await runner.query(`ALTER TABLE session_steps ADD withheld_reasons jsonb`);
    await runner.query(`ALTER TABLE outcomes ADD provider text, ADD is_provisional boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE billing_connections ADD webhook_version text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing_connections DROP webhook_version`);
    await runner.query(`ALTER TABLE outcomes DROP provider, DROP is_provisional`);
    await runner.query(`ALTER TABLE session_steps DROP withheld_reasons`);
    await runner.query(`ALTER TABLE flow_sessions DROP eligibility`);
  }
}
