import { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the types of outcomes without keeping others from writing. */
export class TypesOfOutcomes1796900000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outcomes VALIDATE CONSTRAINT outcomes_type_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
