import { MigrationInterface, QueryRunner } from 'typeorm';

/** To keep a subscription is a decision that billing carries out, too. A refused key is noted, and an erased customer's job has all it needs. */
export class KeepInBilling1796400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE fulfilments ADD billing_customer_id text, DROP CONSTRAINT fulfilments_action_check,
        ADD CONSTRAINT fulfilments_action_check CHECK (action IN ('apply', 'cancel', 'keep')) NOT VALID`);
    await runner.query(`
      UPDATE fulfilments SET billing_customer_id = session.billing_customer_id FROM flow_sessions AS session
      WHERE session.workspace_id = fulfilments.workspace_id AND session.id = flow_session_id AND state = 'pending'`);
    await runner.query(
      `ALTER TABLE billing_connections ADD key_refused_at timestamptz, ADD missing_permissions text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM fulfilments WHERE action = 'keep'`);
    await runner.query(`ALTER TABLE billing_connections DROP key_refused_at, DROP missing_permissions`);
    await runner.query(`
      ALTER TABLE fulfilments DROP billing_customer_id, DROP CONSTRAINT fulfilments_action_check,
        ADD CONSTRAINT fulfilments_action_check CHECK (action IN ('apply', 'cancel'))`);
  }
}
