import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An invitation doesn't prove an address: whoever invites can open the link. So an address may be several people's until somebody
 * proves that it is theirs. A proven address is one person's.
 */
export class ProvenAddresses1796200000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE people ADD email_proven boolean NOT NULL DEFAULT false`);
    await runner.query(`UPDATE people SET email_proven = true WHERE openid_subject IS NOT NULL`);
    await runner.query(`ALTER TABLE people DROP CONSTRAINT people_email_key`);
    await runner.query(`CREATE UNIQUE INDEX people_proven_email_key ON people (email) WHERE email_proven`);
    await runner.query(`CREATE INDEX people_by_email ON people (email)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX people_by_email, people_proven_email_key`);
    await runner.query(`ALTER TABLE people ADD CONSTRAINT people_email_key UNIQUE (email)`);
    await runner.query(`ALTER TABLE people DROP email_proven`);
  }
}
