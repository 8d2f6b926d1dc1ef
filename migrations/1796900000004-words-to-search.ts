import { MigrationInterface, QueryRunner } from 'typeorm';

/** The service works out by which words a comment and a declaration are found. */
export class WordsToSearch1796900000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['session_steps', 'declarations']) {
      await runner.query(`ALTER TABLE ${table} ADD words tsvector`);
      // Without statistics, Postgres takes every search for one that finds little, and always goes by the index.
      await runner.query(`ALTER TABLE ${table} ALTER words SET STATISTICS 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['session_steps', 'declarations']) await runner.query(`ALTER TABLE ${table} DROP words`);
  }
}
