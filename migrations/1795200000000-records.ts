import { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions that can be read back and counted, and customers that can be erased. */
export class Records1795200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_sessions ADD COLUMN erased_at timestamptz`);
    // Pages of a workspace's sessions, newest first.
    await runner.query(`CREATE INDEX flow_sessions_by_time ON flow_sessions (workspace_id, created_at, id)`);
    // The same of one flow, and its numbers over a span of time.
    await runner.query(`CREATE INDEX flow_sessions_by_flow ON flow_sessions (workspace_id, flow_id, created_at, id)`);
    // The same of one customer, and what is to be erased of them; starts that name no customer do not pay for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_customer ON flow_sessions (workspace_id, customer_id, created_at, id)
        WHERE customer_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX flow_sessions_by_time, flow_sessions_by_flow, flow_sessions_by_customer`);
    await runner.query(`ALTER TABLE flow_sessions DROP COLUMN erased_at`);
  }
}
