import { MigrationInterface, QueryRunner } from 'typeorm';

/** What a workspace has is counted where its creations wait for each other. Until the first one it is not counted. */
export class CountsOfWorkspaces1796700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace_codes ADD offers integer, ADD flows integer, ADD versions integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace_codes DROP offers, DROP flows, DROP versions`);
  }
}
