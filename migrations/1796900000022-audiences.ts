import { MigrationInterface, QueryRunner } from 'typeorm';

/** Conditions that branches of several flows go by. */
export class Audiences1796900000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audiences (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        key text,
        name text NOT NULL,
        "when" jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT audiences_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT audiences_key_key UNIQUE (workspace_id, key),
        CONSTRAINT audiences_name_check CHECK (char_length(name) BETWEEN 1 AND 200)
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
