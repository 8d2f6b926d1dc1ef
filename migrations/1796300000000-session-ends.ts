import { MigrationInterface, QueryRunner } from 'typeorm';

/** When sessions ended: written once, so that indexes can have it without being written at each step. */
export class SessionEnds1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_sessions ADD ended_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flow_sessions DROP ended_at`);
  }
}
