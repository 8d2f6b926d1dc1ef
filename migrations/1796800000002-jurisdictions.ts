import { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace says where its customers live. */
export class Jurisdictions1796800000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD jurisdictions text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces DROP jurisdictions`);
  }
}
