import { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  flow_sessions_by_acceptance: `flow_sessions (workspace_id, customer_id, (accepted_offer ->> 'id'), updated_at)
    WHERE saved_by_offer AND customer_id IS NOT NULL`,
  flow_sessions_by_acceptance_of_subscription: `flow_sessions (workspace_id, subscription_id, (accepted_offer ->> 'id'), updated_at)
    WHERE saved_by_offer AND customer_verified AND subscription_id IS NOT NULL`,
  outcomes_provisional: `outcomes (workspace_id, customer_id) WHERE is_provisional`,
};

/** How often a customer accepted an offer is found without their other sessions, and outcomes that may be taken back without the others. */
export class IndexesOfAcceptances1796500000001 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
