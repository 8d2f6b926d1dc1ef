import { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures are kept without the metadata of their files. A job strips those that were kept before. */
export class StrippedImages1796900000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE images ADD is_stripped boolean NOT NULL DEFAULT false');
    await runner.query('CREATE INDEX images_with_metadata ON images (workspace_id, id) WHERE NOT is_stripped');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE images DROP is_stripped');
  }
}
