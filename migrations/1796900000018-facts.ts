import { MigrationInterface, QueryRunner } from 'typeorm';

/** What branches can go by besides attributes and answers. */
export class Facts1796900000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE flow_sessions ADD facts jsonb');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
