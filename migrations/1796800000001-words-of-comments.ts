import { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments of a workspace are found by their words: its id is one of them. The service goes on meanwhile. */
export class WordsOfComments1796800000001 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS session_steps_by_words`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY session_steps_by_words ON session_steps
        USING gin ((array_to_tsvector(ARRAY[workspace_id::text]) || to_tsvector('simple', comment))) WHERE comment IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY session_steps_by_words`);
  }
}
