import { MigrationInterface, QueryRunner } from 'typeorm';

export class Initial1795000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Session starts update a workspace's counter all the time: half-empty pages and no index on what changes
    // keep those updates inside the page (heap-only tuples).
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid NOT NULL,
        name text NOT NULL,
        session_limit integer NOT NULL,
        usage_period timestamptz NOT NULL,
        sessions_used integer NOT NULL,
        primary_color text NOT NULL,
        logo_url text NOT NULL,
        allowed_origins text[] NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT workspaces_pkey PRIMARY KEY (id),
        CONSTRAINT workspaces_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT workspaces_session_limit_check CHECK (session_limit >= 0),
        CONSTRAINT workspaces_sessions_used_check CHECK (sessions_used >= 0),
        CONSTRAINT workspaces_logo_url_check CHECK (char_length(logo_url) <= 2048)
      ) WITH (fillfactor = 50)`);

    // A directory: a key comes without its workspace, so its hash is unique across all of them.
    await runner.query(`
      CREATE TABLE api_keys (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        hash bytea NOT NULL,
        name text NOT NULL,
        access text NOT NULL,
        prefix text NOT NULL,
        last_four text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT api_keys_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT api_keys_hash_key UNIQUE (hash),
        CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT api_keys_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT api_keys_access_check CHECK (access IN ('read', 'write'))
      )`);

    await runner.query(`
      CREATE TABLE offers (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        status text NOT NULL,
        name text NOT NULL,
        offer_type text NOT NULL,
        offer_value text NOT NULL,
        offer_duration text NOT NULL,
        heading text NOT NULL,
        body text NOT NULL,
        cta_accept text NOT NULL,
        cta_decline text NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT offers_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT offers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT offers_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT offers_offer_type_check CHECK (offer_type IN
          ('discount_percentage', 'discount_fixed', 'pause_subscription', 'trial_extension', 'custom')),
        CONSTRAINT offers_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT offers_value_check CHECK (char_length(offer_value) <= 200 AND char_length(offer_duration) <= 200),
        CONSTRAINT offers_heading_check CHECK (char_length(heading) BETWEEN 1 AND 200),
        CONSTRAINT offers_body_check CHECK (char_length(body) <= 5000),
        CONSTRAINT offers_cta_check CHECK
          (char_length(cta_accept) BETWEEN 1 AND 200 AND char_length(cta_decline) BETWEEN 1 AND 200)
      )`);

    await runner.query(`
      CREATE TABLE flows (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        slug text NOT NULL,
        status text NOT NULL,
        current_version integer NOT NULL,
        description text,
        estimated_monthly_value numeric(12,2),
        notification_email text,
        first_published_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT flows_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT flows_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT flows_status_check CHECK (status IN ('draft', 'published', 'archived')),
        CONSTRAINT flows_description_check CHECK (char_length(description) <= 5000),
        CONSTRAINT flows_estimated_monthly_value_check CHECK (estimated_monthly_value >= 0),
        CONSTRAINT flows_notification_email_check CHECK (char_length(notification_email) <= 254)
      )`);

    await runner.query(`
      CREATE TABLE flow_versions (
        workspace_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        version integer NOT NULL,
        name text NOT NULL,
        product_name text NOT NULL,
        cancellation_url text NOT NULL,
        flow_mode text NOT NULL,
        offer_ids uuid[] NOT NULL,
        definition jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT flow_versions_pkey PRIMARY KEY (workspace_id, flow_id, version),
        CONSTRAINT flow_versions_flow_fkey FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id),
        CONSTRAINT flow_versions_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT flow_versions_product_name_check CHECK (char_length(product_name) BETWEEN 1 AND 200),
        CONSTRAINT flow_versions_cancellation_url_check CHECK (char_length(cancellation_url) BETWEEN 1 AND 2048),
        CONSTRAINT flow_versions_flow_mode_check CHECK (flow_mode IN ('simple'))
      )`);

    // A flow always has the version it calls current; deferred, because a flow and its first version need each other.
    await runner.query(`
      ALTER TABLE flows ADD CONSTRAINT flows_current_version_fkey
        FOREIGN KEY (workspace_id, id, current_version) REFERENCES flow_versions (workspace_id, flow_id, version)
        DEFERRABLE INITIALLY DEFERRED`);

    // The other directory: a slug comes without its workspace.
    await runner.query(`
      CREATE TABLE flow_slugs (
        slug text NOT NULL,
        workspace_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        CONSTRAINT flow_slugs_pkey PRIMARY KEY (slug),
        CONSTRAINT flow_slugs_flow_fkey FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
      )`);

    // A session is looked up by its id alone; workspace_id is in the key so that the table can be distributed by it.
    await runner.query(`
      CREATE TABLE flow_sessions (
        id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        status text NOT NULL,
        current_node_key text NOT NULL,
        customer_id text,
        customer jsonb,
        idempotency_key text,
        request_hash bytea,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT flow_sessions_pkey PRIMARY KEY (id, workspace_id),
        CONSTRAINT flow_sessions_flow_version_fkey FOREIGN KEY (workspace_id, flow_id, flow_version)
          REFERENCES flow_versions (workspace_id, flow_id, version),
        CONSTRAINT flow_sessions_status_check CHECK (status IN ('in_progress')),
        CONSTRAINT flow_sessions_idempotency_check CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX flow_sessions_idempotency_key ON flow_sessions (workspace_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flows DROP CONSTRAINT flows_current_version_fkey`);
    await runner.query(`DROP TABLE flow_sessions, flow_slugs, flow_versions, flows, offers, api_keys, workspaces`);
  }
}
