import { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace may be for tests. Such a one needs no session limit, and knows the live one that it was made of. */
export class TestWorkspaces1796900000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN test boolean NOT NULL DEFAULT false,
        ADD COLUMN live_workspace_id uuid,
        ALTER COLUMN session_limit DROP NOT NULL,
        ADD CONSTRAINT workspaces_test_check
          CHECK (test OR (session_limit IS NOT NULL AND live_workspace_id IS NULL)) NOT VALID`);
    await runner.query('ALTER TABLE workspaces VALIDATE CONSTRAINT workspaces_test_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
