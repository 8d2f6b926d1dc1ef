import { MigrationInterface, QueryRunner } from 'typeorm';

/** A flow says where the cancel button of its pages leads. */
export class Install1796900000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flows ADD install jsonb`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
