import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A link ends with the reason it was made for, so it says who made it and where. `mailed_only`: nobody but the reader of the mail
 * has seen the link, so opening it proves the address.
 */
export class LinksEnd1796200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invitations ADD created_by uuid, ADD mailed_only boolean NOT NULL DEFAULT false`);
    await runner.query(`
      UPDATE invitations SET created_by = change.actor_id FROM changes AS change
      WHERE change.workspace_id = invitations.workspace_id AND change.subject_id = invitations.id
        AND change.action = 'invitation.created' AND change.actor_type = 'person'`);
    await runner.query(`
      DELETE FROM invitations WHERE created_by IS NOT NULL AND NOT EXISTS (SELECT FROM members
        WHERE members.workspace_id = invitations.workspace_id AND person_id = created_by AND members.role = 'owner')`);
    await runner.query(`
      ALTER TABLE one_time_links ADD workspace_id uuid, ADD created_by uuid, ADD mailed_only boolean NOT NULL DEFAULT false`);
    // It is not known who made them.
    await runner.query(`DELETE FROM one_time_links WHERE person_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE one_time_links DROP workspace_id, DROP created_by, DROP mailed_only`);
    await runner.query(`ALTER TABLE invitations DROP created_by, DROP mailed_only`);
  }
}
