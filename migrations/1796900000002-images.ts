import { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages and offers show pictures and points. */
export class Images1796900000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE images (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT images_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT images_content_check CHECK (octet_length(content) BETWEEN 1 AND 200000),
        CONSTRAINT images_type_check CHECK (type IN ('image/png', 'image/jpeg', 'image/webp'))
      )`);
    await runner.query('CREATE INDEX images_by_id ON images (id)');
    // It is compressed already.
    await runner.query('ALTER TABLE images ALTER content SET STORAGE EXTERNAL');
    await runner.query(`ALTER TABLE workspaces ADD image_hosts text[] NOT NULL DEFAULT '{}'`);
    for (const table of ['offers', 'offer_versions', 'offer_drafts']) {
      await runner.query(`ALTER TABLE ${table} ADD image jsonb, ADD points jsonb NOT NULL DEFAULT '[]'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['offers', 'offer_versions', 'offer_drafts']) {
      await runner.query(`ALTER TABLE ${table} DROP image, DROP points`);
    }
    await runner.query('ALTER TABLE workspaces DROP image_hosts');
    await runner.query('DROP TABLE images');
  }
}
