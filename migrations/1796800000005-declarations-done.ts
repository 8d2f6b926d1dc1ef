import { MigrationInterface, QueryRunner } from 'typeorm';

/** A team notes which declarations it has carried out. Those of more than 30 days ago, and erased ones, wait for nobody. */
export class DeclarationsDone1796800000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE declarations ADD done_at timestamptz');
    await runner.query(`
      UPDATE declarations SET done_at = now() WHERE created_at < now() - interval '30 days' OR erased_at IS NOT NULL`);
    await runner.query('CREATE INDEX declarations_open ON declarations (workspace_id, id) WHERE done_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE declarations DROP done_at');
  }
}
