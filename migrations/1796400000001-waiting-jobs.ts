import { MigrationInterface, QueryRunner } from 'typeorm';

/** The jobs of each subscription that wait, in their order: the first one is found without the others. */
export class WaitingJobs1796400000001 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE fulfilments VALIDATE CONSTRAINT fulfilments_action_check`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS fulfilments_waiting`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY fulfilments_waiting ON fulfilments
        (workspace_id, subscription_id, created_at, flow_session_id, next_attempt_at) WHERE state = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY fulfilments_waiting`);
  }
}
