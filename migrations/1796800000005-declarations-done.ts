import { MigrationInterface, QueryRunner } from 'typeorm';

/** A team notes which declarations it has carried out. */
export class DeclarationsDone1796800000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE declarations ADD done_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE declarations DROP done_at');
  }
}
