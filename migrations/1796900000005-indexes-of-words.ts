import { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  session_steps_words: 'session_steps USING gin (words)',
  session_steps_without_words:
    'session_steps (workspace_id, flow_session_id, position) WHERE (comment IS NULL) <> (words IS NULL)',
  declarations_words: 'declarations USING gin (words)',
  declarations_without_words: `declarations (workspace_id, id)
    WHERE words IS NULL OR (erased_at IS NOT NULL AND NOT words @@ '''-erased'''::tsquery)`,
};

/** By the words of comments and declarations, and of those that have none yet. The service goes on meanwhile. */
export class IndexesOfWords1796900000005 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
    }
    // An older version goes on without it, more slowly.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS session_steps_by_words');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY session_steps_by_words ON session_steps
        USING gin ((array_to_tsvector(ARRAY[workspace_id::text]) || to_tsvector('simple', comment))) WHERE comment IS NOT NULL`,
    );
  }
}
