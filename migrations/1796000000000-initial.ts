import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The whole schema. Rules that hold for every table:
 * - A tenant's table has `workspace_id` in its primary key, in every unique index and in every foreign key, so that a row
 *   can't refer to another tenant's, and the tables can be distributed by it.
 * - Three directories are the exceptions. They lead from a value that comes without a workspace to its workspace:
 *   `api_keys` from a key's hash, `flow_slugs` from a slug, `workspace_codes` from the code in a session_id.
 * - Ids are UUID v7 and sort by creation, so lists are read along the primary key.
 */
export class Initial1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A start is decided on what the process remembers of a workspace and a flow. `revision` goes up with every change, and
    // tells whether that still holds.
    // Every start updates the counter of its workspace. Half-empty pages, and no index on what changes, keep these updates
    // within their page (heap-only tuples).
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid NOT NULL,
        revision integer NOT NULL,
        name text NOT NULL,
        session_limit integer NOT NULL,
        usage_period timestamptz NOT NULL,
        sessions_used integer NOT NULL,
        starts_are_events boolean NOT NULL,
        primary_color text NOT NULL,
        logo_url text NOT NULL,
        allowed_origins text[] NOT NULL,
        require_customer_token boolean NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT workspaces_pkey PRIMARY KEY (id),
        CONSTRAINT workspaces_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT workspaces_session_limit_check CHECK (session_limit >= 0),
        CONSTRAINT workspaces_sessions_used_check CHECK (sessions_used >= 0),
        CONSTRAINT workspaces_logo_url_check CHECK (char_length(logo_url) <= 2048)
      ) WITH (fillfactor = 50)`);

    // Directory. A workspace has one code for ever: the first eight hexadecimal digits of each of its session_ids.
    await runner.query(`
      CREATE TABLE workspace_codes (
        code text NOT NULL,
        workspace_id uuid NOT NULL,
        CONSTRAINT workspace_codes_pkey PRIMARY KEY (code),
        CONSTRAINT workspace_codes_workspace_id_key UNIQUE (workspace_id),
        CONSTRAINT workspace_codes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT workspace_codes_code_check CHECK (code ~ '^[0-9a-f]{8}$')
      )`);

    // Directory. The secret itself is not stored, only its SHA-256.
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

    // Keys verify the tokens that name customers. The secret of HS256 is stored as it is, because it verifies.
    await runner.query(`
      CREATE TABLE customer_keys (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        algorithm text NOT NULL,
        secret text,
        public_key jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT customer_keys_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT customer_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT customer_keys_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT customer_keys_algorithm_check CHECK
          ((algorithm = 'HS256' AND secret IS NOT NULL AND public_key IS NULL)
            OR (algorithm = 'EdDSA' AND secret IS NULL AND public_key IS NOT NULL))
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
        metadata jsonb NOT NULL,
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

    // The answers of creations, so that one can be sent again. Both the hash of an Idempotency-Key and the key of the encrypted
    // answer are made from the Idempotency-Key, which is not stored: answers contain secrets that can't be read again.
    // `workspace_id` is the nil UUID for what the operator creates.
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id uuid NOT NULL,
        hash bytea NOT NULL,
        request_hash bytea NOT NULL,
        answer bytea,
        created_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, hash)
      )`);
    // Old keys are deleted.
    await runner.query(`CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`);

    // What the team may change without a customer noticing. What customers see is in flow_versions.
    await runner.query(`
      CREATE TABLE flows (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        revision integer NOT NULL,
        slug text NOT NULL,
        status text NOT NULL,
        current_version integer NOT NULL,
        description text,
        estimated_monthly_value numeric(12,2),
        notification_email text,
        metadata jsonb NOT NULL,
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

    // Rows are inserted and never changed: sessions keep the version they began with.
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
        CONSTRAINT flow_versions_flow_mode_check CHECK (flow_mode IN ('simple', 'advanced'))
      )`);

    // The current version of a flow exists. Deferred, because a flow and its first version need each other.
    await runner.query(`
      ALTER TABLE flows ADD CONSTRAINT flows_current_version_fkey
        FOREIGN KEY (workspace_id, id, current_version) REFERENCES flow_versions (workspace_id, flow_id, version)
        DEFERRABLE INITIALLY DEFERRED`);

    // Directory. A slug never changes, and is never given to another flow.
    await runner.query(`
      CREATE TABLE flow_slugs (
        slug text NOT NULL,
        workspace_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        CONSTRAINT flow_slugs_pkey PRIMARY KEY (slug),
        CONSTRAINT flow_slugs_flow_fkey FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
      )`);

    // A session has two names. `id` is its record's: the time in it is created_at, so a range of ids is a range of time.
    // `session_id` is the credential that drives the session, known to the customer's page.
    // An offer is kept as it was shown and as it was accepted, whatever becomes of the offer afterwards.
    await runner.query(`
      CREATE TABLE flow_sessions (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        session_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        status text NOT NULL,
        current_node_key text NOT NULL,
        presented_offer jsonb,
        accepted_offer jsonb,
        customer_id text,
        customer jsonb,
        customer_verified boolean NOT NULL,
        erased_customer uuid,
        idempotency_key text,
        request_hash bytea,
        erased_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT flow_sessions_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT flow_sessions_session_id_key UNIQUE (session_id, workspace_id),
        CONSTRAINT flow_sessions_flow_version_fkey FOREIGN KEY (workspace_id, flow_id, flow_version)
          REFERENCES flow_versions (workspace_id, flow_id, version),
        CONSTRAINT flow_sessions_status_check CHECK (status IN ('in_progress', 'saved', 'canceled')),
        CONSTRAINT flow_sessions_accepted_offer_check CHECK (accepted_offer IS NULL OR status = 'saved'),
        CONSTRAINT flow_sessions_customer_verified_check CHECK (customer_id IS NOT NULL OR NOT customer_verified),
        CONSTRAINT flow_sessions_erased_customer_check CHECK (erased_customer IS NULL OR customer_id IS NULL),
        CONSTRAINT flow_sessions_idempotency_check CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
      )`);
    // A start is safe to repeat: one session for each key.
    await runner.query(`
      CREATE UNIQUE INDEX flow_sessions_idempotency_key ON flow_sessions (workspace_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL`);
    // Lists and statistics of one flow. A flow has one workspace, and every start pays for what is in this index.
    await runner.query(`CREATE INDEX flow_sessions_by_flow ON flow_sessions (flow_id, id)`);
    // Tells the planner the same, or it would take the sessions of a flow in a workspace for few.
    await runner.query(`
      CREATE STATISTICS flow_sessions_flow (dependencies) ON workspace_id, flow_id FROM flow_sessions`);
    // Lists of one customer, erasing, and the session before another of a customer. Starts that name no customer don't pay for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_customer ON flow_sessions (workspace_id, customer_id, id)
        WHERE customer_id IS NOT NULL`);
    // After erasing, the sessions of a customer still count as one person. The id is random and stands for nobody.
    await runner.query(`
      CREATE INDEX flow_sessions_by_erased_customer ON flow_sessions (workspace_id, erased_customer, id)
        WHERE erased_customer IS NOT NULL`);
    // Lists of saved and of canceled sessions, however rare. Only the step that ends a session pays for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_outcome ON flow_sessions (workspace_id, status, id)
        WHERE status <> 'in_progress'`);
    // Lists of what has changed. Only the step that ends a session pays for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_end ON flow_sessions (workspace_id, updated_at)
        WHERE status <> 'in_progress'`);
    // Lists of sessions in progress and of abandoned ones, and of what has changed: the time of the last step tells them apart.
    await runner.query(`
      CREATE INDEX flow_sessions_by_last_step ON flow_sessions (workspace_id, updated_at)
        WHERE status = 'in_progress'`);

    // Steps are numbered within their session, so that the primary key refuses a step that is written twice.
    await runner.query(`
      CREATE TABLE session_steps (
        workspace_id uuid NOT NULL,
        flow_session_id uuid NOT NULL,
        position integer NOT NULL,
        node_key text NOT NULL,
        node_type text NOT NULL,
        action text NOT NULL,
        option text,
        comment text,
        offer jsonb,
        ways jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT session_steps_pkey PRIMARY KEY (workspace_id, flow_session_id, position),
        CONSTRAINT session_steps_session_fkey FOREIGN KEY (workspace_id, flow_session_id)
          REFERENCES flow_sessions (workspace_id, id),
        CONSTRAINT session_steps_position_check CHECK (position >= 1),
        CONSTRAINT session_steps_node_type_check CHECK (node_type IN ('start', 'survey', 'offer', 'confirm')),
        CONSTRAINT session_steps_comment_check CHECK (char_length(comment) <= 5000)
      )`);
    // Lists of comments. Only steps with a comment pay for it.
    await runner.query(`
      CREATE INDEX session_steps_by_comment ON session_steps (workspace_id, flow_session_id, position)
        WHERE comment IS NOT NULL`);

    // What statistics are added up from: how many sessions that began on a day (UTC) have something in common, and how they
    // ended. Up to date until the time in sum_cursors. Holds nothing of a customer, and stays when sessions are deleted.
    await runner.query(`
      CREATE TABLE daily_sums (
        workspace_id uuid NOT NULL,
        day date NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        kind text NOT NULL,
        node_key text NOT NULL,
        value text NOT NULL,
        sessions integer NOT NULL,
        accepted integer NOT NULL,
        kept integer NOT NULL,
        canceled integer NOT NULL,
        CONSTRAINT daily_sums_pkey PRIMARY KEY (workspace_id, day, flow_id, flow_version, kind, node_key, value),
        CONSTRAINT daily_sums_kind_check CHECK (kind IN ('session', 'answer', 'offer', 'way', 'reached', 'step'))
      )`);
    // How many sessions that began on a day are of a customer who had one before: what makes customers of sessions.
    // `saved` and `canceled` count only sessions that ended so or otherwise, by how the one that ended before did.
    await runner.query(`
      CREATE TABLE daily_repeats (
        workspace_id uuid NOT NULL,
        day date NOT NULL,
        flow_id uuid NOT NULL,
        earlier_day date NOT NULL,
        sessions integer NOT NULL,
        saved integer NOT NULL,
        canceled integer NOT NULL,
        CONSTRAINT daily_repeats_pkey PRIMARY KEY (workspace_id, day, flow_id, earlier_day)
      )`);
    // Up to when the sums are up to date. While the next span is added, sessions up to an id are so until its end.
    await runner.query(`
      CREATE TABLE sum_cursors (
        workspace_id uuid NOT NULL,
        summed_until timestamptz NOT NULL,
        summing_until timestamptz,
        summed_through uuid,
        CONSTRAINT sum_cursors_pkey PRIMARY KEY (workspace_id),
        CONSTRAINT sum_cursors_summing_check CHECK ((summing_until IS NULL) = (summed_through IS NULL))
      )`);

    // A walk through a flow that is counted nowhere: no session of a customer, so it is in a table of its own. At most 100 of a
    // workspace. `steps` has no comments.
    await runner.query(`
      CREATE TABLE previews (
        workspace_id uuid NOT NULL,
        session_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        standing jsonb NOT NULL,
        steps jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT previews_pkey PRIMARY KEY (workspace_id, session_id),
        CONSTRAINT previews_flow_version_fkey FOREIGN KEY (workspace_id, flow_id, flow_version)
          REFERENCES flow_versions (workspace_id, flow_id, version)
      )`);
    // Old previews are deleted.
    await runner.query(`CREATE INDEX previews_by_age ON previews (created_at)`);

    // What happened and is not an event yet. Written with what happened, and deleted a moment later: the table is nearly empty.
    // One row for a batch of starts. No foreign key: it would lock the workspace's row, which starts wait for.
    await runner.query(`
      CREATE TABLE outbox (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL,
        flow_session_ids uuid[],
        data jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT outbox_pkey PRIMARY KEY (workspace_id, id)
      )`);

    // Events refer to sessions without a foreign key, so that old sessions can be deleted. They hold nothing of a customer.
    await runner.query(`
      CREATE TABLE events (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL,
        flow_session_id uuid,
        data jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id)
      )`);
    // Lists of one type, however rare, and of one session.
    await runner.query(`CREATE INDEX events_by_type ON events (workspace_id, type, id)`);
    await runner.query(`
      CREATE INDEX events_by_session ON events (workspace_id, flow_session_id, id) WHERE flow_session_id IS NOT NULL`);
    // Old events are deleted.
    await runner.query(`CREATE INDEX events_by_age ON events (created_at)`);

    await runner.query(`
      CREATE TABLE webhooks (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        url text NOT NULL,
        description text NOT NULL,
        event_types text[] NOT NULL,
        status text NOT NULL,
        disabled_reason text,
        secret text NOT NULL,
        previous_secret text,
        previous_secret_expires_at timestamptz,
        failures integer NOT NULL,
        failing_since timestamptz,
        next_probe_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT webhooks_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT webhooks_status_check CHECK (status IN ('enabled', 'disabled')),
        CONSTRAINT webhooks_url_check CHECK (char_length(url) BETWEEN 1 AND 2048),
        CONSTRAINT webhooks_description_check CHECK (char_length(description) <= 5000)
      )`);

    // One row for an event and a webhook, whatever the number of attempts.
    await runner.query(`
      CREATE TABLE deliveries (
        workspace_id uuid NOT NULL,
        event_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        flow_session_id uuid,
        status text NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz,
        last_status integer,
        last_error text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT deliveries_pkey PRIMARY KEY (workspace_id, event_id, webhook_id),
        CONSTRAINT deliveries_event_fkey FOREIGN KEY (workspace_id, event_id)
          REFERENCES events (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT deliveries_webhook_fkey FOREIGN KEY (workspace_id, webhook_id)
          REFERENCES webhooks (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
        CONSTRAINT deliveries_next_attempt_check CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))
      )`);
    // Lists of one webhook, and of what was not delivered, however rare.
    await runner.query(`CREATE INDEX deliveries_by_webhook ON deliveries (workspace_id, webhook_id, event_id)`);
    await runner.query(`
      CREATE INDEX deliveries_undelivered ON deliveries (workspace_id, webhook_id, status, event_id)
        WHERE status <> 'delivered'`);
    // The next attempts of a webhook, and the events of a session that wait for each other.
    await runner.query(`
      CREATE INDEX deliveries_due ON deliveries (workspace_id, webhook_id, next_attempt_at) WHERE status = 'pending'`);
    await runner.query(`
      CREATE INDEX deliveries_in_order ON deliveries (workspace_id, webhook_id, flow_session_id, event_id)
        WHERE status = 'pending'`);

    // A mail about an event, to the address of its flow. Those that are too many for an hour are collected in a summary, which
    // the first of them carries: `summary_id` is its event_id. No foreign key to flows: it would lock the flow's row.
    await runner.query(`
      CREATE TABLE notifications (
        workspace_id uuid NOT NULL,
        event_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        status text NOT NULL,
        summary_id uuid,
        attempts integer NOT NULL,
        next_attempt_at timestamptz,
        last_error text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT notifications_pkey PRIMARY KEY (workspace_id, event_id),
        CONSTRAINT notifications_event_fkey FOREIGN KEY (workspace_id, event_id)
          REFERENCES events (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT notifications_status_check CHECK
          (status IN ('pending', 'collecting', 'collected', 'sent', 'failed', 'dropped')),
        CONSTRAINT notifications_next_attempt_check CHECK
          ((next_attempt_at IS NOT NULL) = (status IN ('pending', 'collecting')))
      )`);
    // What is due, of all workspaces, and of one flow.
    await runner.query(`
      CREATE INDEX notifications_due ON notifications (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
    await runner.query(`
      CREATE INDEX notifications_waiting ON notifications (workspace_id, flow_id, next_attempt_at)
        WHERE next_attempt_at IS NOT NULL`);
    // The mails of a flow in the last hour.
    await runner.query(`
      CREATE INDEX notifications_mailed ON notifications (workspace_id, flow_id, updated_at) WHERE attempts > 0`);
    // What a summary tells of.
    await runner.query(`
      CREATE INDEX notifications_by_summary ON notifications (workspace_id, summary_id) WHERE summary_id IS NOT NULL`);

    // Up to where the sessions of a workspace were searched for abandoned ones: a time of their last step.
    await runner.query(`
      CREATE TABLE abandonment_cursors (
        workspace_id uuid NOT NULL,
        searched_until timestamptz NOT NULL,
        CONSTRAINT abandonment_cursors_pkey PRIMARY KEY (workspace_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE flows DROP CONSTRAINT flows_current_version_fkey`);
    await runner.query(`
      DROP TABLE sum_cursors, daily_repeats, daily_sums, abandonment_cursors, notifications, deliveries, webhooks, events, outbox, previews, session_steps, flow_sessions, flow_slugs, flow_versions, flows, idempotency_keys, offers, customer_keys, api_keys, workspace_codes, workspaces`);
  }
}
