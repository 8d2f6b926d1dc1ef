import { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a receiver has limited without a success. */
export class PausesOfWebhooks1796900000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks ADD COLUMN paused_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN paused_since');
  }
}
