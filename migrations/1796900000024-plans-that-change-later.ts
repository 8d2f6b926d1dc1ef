import { MigrationInterface, QueryRunner } from 'typeorm';

/** A connection may have plans change at the end of the period. */
export class PlansThatChangeLater1796900000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing_connections DROP CONSTRAINT billing_connections_proration_check');
    await runner.query(
      `ALTER TABLE billing_connections ADD CONSTRAINT billing_connections_proration_check
        CHECK (proration IN ('create_prorations', 'always_invoice', 'none', 'at_period_end'))`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
