import { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer may choose how long a pause lasts. */
export class MonthsOfSteps1796900000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_steps ADD months smallint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_steps DROP months');
  }
}
