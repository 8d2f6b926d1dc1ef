import { MigrationInterface, QueryRunner } from 'typeorm';

/** Each fulfilment says who carries it out. Rows of older versions have null. */
export class Carriers1796900000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE fulfilments ADD COLUMN carried_out_by text
        CONSTRAINT fulfilments_carried_out_by_check CHECK (carried_out_by IN ('service', 'person', 'nobody'))`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no way down: run the older version on this schema (decision 0024).'));
  }
}
