import { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace says how many days before it is told what ends. */
export class NoticesOfEnds1796900000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD ending_notice_days smallint DEFAULT 3');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
