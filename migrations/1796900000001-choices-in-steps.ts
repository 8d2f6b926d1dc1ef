import { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer may choose how long a pause lasts, and give several answers to a survey. */
export class ChoicesInSteps1796900000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_steps ADD months smallint, ADD options jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session_steps DROP months, DROP options');
  }
}
