import { MigrationInterface, QueryRunner } from 'typeorm';

/** A page of sessions of one status, however rare the status is. */
export class Statuses1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Those that saved or canceled, newest first. A start does not pay for it, only the step that ends a session.
    await runner.query(`
      CREATE INDEX flow_sessions_by_outcome ON flow_sessions (workspace_id, status, created_at, id)
        WHERE status <> 'in_progress'`);
    // Those that have not ended, by their last step, which tells who is still there and who is gone.
    await runner.query(`
      CREATE INDEX flow_sessions_by_last_step ON flow_sessions (workspace_id, updated_at)
        WHERE status = 'in_progress'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX flow_sessions_by_outcome, flow_sessions_by_last_step`);
  }
}
