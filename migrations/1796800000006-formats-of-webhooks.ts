import { MigrationInterface, QueryRunner } from 'typeorm';

/** A webhook may be read by Slack or Segment. Segment takes a key. */
export class FormatsOfWebhooks1796800000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks
        ADD format text NOT NULL DEFAULT 'standard',
        ADD write_key text,
        ADD CONSTRAINT webhooks_format_check CHECK (format IN ('standard', 'slack', 'segment')),
        ADD CONSTRAINT webhooks_write_key_check CHECK ((format = 'segment') = (write_key IS NOT NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP format, DROP write_key');
  }
}
