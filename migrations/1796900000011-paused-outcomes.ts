import { MigrationInterface, QueryRunner } from 'typeorm';

/** An outcome may be a pause. A later migration checks the rows. */
export class PausedOutcomes1796900000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outcomes DROP CONSTRAINT outcomes_type_check,
        ADD CONSTRAINT outcomes_type_check CHECK (type IN ('canceled', 'paid', 'paused')) NOT VALID`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
