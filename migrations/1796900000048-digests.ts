import { MigrationInterface, QueryRunner } from 'typeorm';

/** People may get the report by mail, each week or month. */
export class Digests1796900000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD digest text, ADD digest_due_at timestamptz,
      ADD CONSTRAINT members_digest_check CHECK (digest IN ('weekly', 'monthly'))`);
    await runner.query('CREATE INDEX members_by_digest ON members (digest_due_at) WHERE digest_due_at IS NOT NULL');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
