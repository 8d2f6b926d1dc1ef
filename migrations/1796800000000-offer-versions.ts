import { MigrationInterface, QueryRunner } from 'typeorm';

/** What versions and drafts have of an offer. */
const CONTENT = `name text NOT NULL,
        offer_type text NOT NULL,
        offer_value text NOT NULL,
        offer_duration text NOT NULL,
        heading text NOT NULL,
        body text NOT NULL,
        cta_accept text NOT NULL,
        cta_decline text NOT NULL,
        accept_url text,
        metadata jsonb NOT NULL,
        "limit" jsonb,
        terms jsonb,
        translations jsonb NOT NULL DEFAULT '{}'`;

const checksOf = (table: string) => `
        CONSTRAINT ${table}_offer_type_check CHECK (offer_type IN
          ('discount_percentage', 'discount_fixed', 'pause_subscription', 'trial_extension', 'plan_change', 'custom')),
        CONSTRAINT ${table}_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT ${table}_value_check CHECK (char_length(offer_value) <= 200 AND char_length(offer_duration) <= 200),
        CONSTRAINT ${table}_heading_check CHECK (char_length(heading) BETWEEN 1 AND 200),
        CONSTRAINT ${table}_body_check CHECK (char_length(body) <= 5000),
        CONSTRAINT ${table}_cta_check CHECK
          (char_length(cta_accept) BETWEEN 1 AND 200 AND char_length(cta_decline) BETWEEN 1 AND 200),
        CONSTRAINT ${table}_accept_url_check CHECK (char_length(accept_url) BETWEEN 1 AND 2048)`;

/** Offers have versions and drafts, as flows do. What is live stays in `offers`. */
export class OfferVersions1796800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE offers ADD current_version integer NOT NULL DEFAULT 1`);
    await runner.query(`ALTER TABLE workspace_codes ADD offer_versions integer`);
    await runner.query(`
      CREATE TABLE offer_versions (
        workspace_id uuid NOT NULL,
        offer_id uuid NOT NULL,
        version integer NOT NULL,
        ${CONTENT},
        note text,
        published_by jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT offer_versions_pkey PRIMARY KEY (workspace_id, offer_id, version),
        CONSTRAINT offer_versions_offer_fkey FOREIGN KEY (workspace_id, offer_id) REFERENCES offers (workspace_id, id),
        CONSTRAINT offer_versions_note_check CHECK (char_length(note) <= 1000),${checksOf('offer_versions')}
      )`);
    await runner.query(`
      CREATE TABLE offer_drafts (
        workspace_id uuid NOT NULL,
        offer_id uuid NOT NULL,
        based_on_version integer NOT NULL,
        ${CONTENT},
        updated_by jsonb NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT offer_drafts_pkey PRIMARY KEY (workspace_id, offer_id),
        CONSTRAINT offer_drafts_offer_fkey FOREIGN KEY (workspace_id, offer_id) REFERENCES offers (workspace_id, id),${checksOf('offer_drafts')}
      )`);
    // Each offer as it is now is its first version.
    const columns = `name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline, accept_url, metadata,
      "limit", terms, translations`;
    await runner.query(`
      INSERT INTO offer_versions (workspace_id, offer_id, version, ${columns}, created_at)
      SELECT workspace_id, id, current_version, ${columns}, updated_at FROM offers`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE offer_drafts, offer_versions');
    await runner.query('ALTER TABLE workspace_codes DROP offer_versions');
    await runner.query('ALTER TABLE offers DROP current_version');
  }
}
