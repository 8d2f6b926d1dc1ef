import { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace has a font, corners and a scheme of its own. */
export class Brand1796900000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workspaces ADD brand jsonb NOT NULL DEFAULT '{"font": null, "radius": null, "scheme": null}'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
