import { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['offers', 'offer_versions', 'offer_drafts'];

/** An offer says what customers read who have accepted it. */
export class WordsAfterAccepting1796800000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        ALTER TABLE ${table} ADD accepted_title text NOT NULL DEFAULT '', ADD accepted_body text NOT NULL DEFAULT '',
          ADD CONSTRAINT ${table}_accepted_check CHECK (char_length(accepted_title) <= 200 AND char_length(accepted_body) <= 5000)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP accepted_title, DROP accepted_body`);
  }
}
