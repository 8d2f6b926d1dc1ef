import { MigrationInterface, QueryRunner } from 'typeorm';

/** A team may report that a customer stays whose session ended as `contacted`. */
export class KeptOutcomes1796900000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outcomes DROP CONSTRAINT outcomes_type_check,
        ADD CONSTRAINT outcomes_type_check CHECK (type IN ('canceled', 'paid', 'paused', 'kept')) NOT VALID`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
