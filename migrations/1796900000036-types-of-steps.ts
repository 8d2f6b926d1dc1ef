import { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows of session_steps that were there before, while others are written. */
export class TypesOfSteps1796900000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_steps VALIDATE CONSTRAINT session_steps_node_type_check');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
