import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which roles groups gave, and who was removed though their groups would bring them back. */
export class RolesOfGroups1796900000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE members ADD COLUMN role_without_groups text
        CONSTRAINT members_role_without_groups_check CHECK (role_without_groups IN ('none', 'viewer', 'editor', 'owner'))`,
    );
    await runner.query(
      `CREATE TABLE removed_members (
        workspace_id uuid NOT NULL CONSTRAINT removed_members_workspace_id_fkey REFERENCES workspaces (id),
        openid_subject text NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT removed_members_pkey PRIMARY KEY (workspace_id, openid_subject)
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE removed_members');
    await runner.query('ALTER TABLE members DROP COLUMN role_without_groups');
  }
}
