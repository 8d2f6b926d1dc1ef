import { MigrationInterface, QueryRunner } from 'typeorm';

/** A step may be at a node of the site's own, and keep what its component gave. */
export class NodesOfOnesOwn1796900000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE session_steps ADD COLUMN result jsonb, DROP CONSTRAINT session_steps_node_type_check,
        ADD CONSTRAINT session_steps_node_type_check CHECK (node_type IN ('start', 'survey', 'offer', 'confirm', 'custom')) NOT VALID`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
