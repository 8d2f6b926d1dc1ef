import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The whole schema. Rules that hold for every table:
 * - A tenant's table has `workspace_id` in its primary key, in every unique index and in every foreign key, so that a row
 *   can't refer to another tenant's, and the tables can be distributed by it.
 * - Five directories are the exceptions. They lead from a value that comes without a workspace to its workspace: `api_keys` from a
 *   key's hash, `flow_slugs` from a slug, `workspace_codes` from the code in a session_id, `members` from a person, `invitations` from
 *   a link's hash.
 * - People may be in several workspaces: `people`, `person_sessions` and `one_time_links` are of the whole service.
 * - Ids are UUID v7 and sort by creation, so lists are read along the primary key.
 */
export class Initial1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Every start updates the counter of its workspace. Half-empty pages, and no index on what changes, keep these updates
    // within their page (heap-only tuples).
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid NOT NULL,
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

    // A person may be in several workspaces, so these three tables are of the whole service: people, the browsers that they are
    // signed in with, and links that work once. Of tokens and links, only the SHA-256 is stored.
    await runner.query(`
      CREATE TABLE people (
        id uuid NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        password text,
        openid_subject text,
        created_at timestamptz NOT NULL,
        CONSTRAINT people_pkey PRIMARY KEY (id),
        CONSTRAINT people_email_key UNIQUE (email),
        CONSTRAINT people_openid_subject_key UNIQUE (openid_subject),
        CONSTRAINT people_email_check CHECK (char_length(email) BETWEEN 3 AND 254 AND email = lower(email)),
        CONSTRAINT people_name_check CHECK (char_length(name) BETWEEN 1 AND 200)
      )`);
    await runner.query(`
      CREATE TABLE person_sessions (
        hash bytea NOT NULL,
        person_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL,
        CONSTRAINT person_sessions_pkey PRIMARY KEY (hash),
        CONSTRAINT person_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX person_sessions_by_person ON person_sessions (person_id)`);
    await runner.query(`
      CREATE TABLE one_time_links (
        hash bytea NOT NULL,
        person_id uuid,
        expires_at timestamptz NOT NULL,
        CONSTRAINT one_time_links_pkey PRIMARY KEY (hash),
        CONSTRAINT one_time_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE
      )`);

    // Directory, from a person to their workspaces.
    await runner.query(`
      CREATE TABLE members (
        workspace_id uuid NOT NULL,
        person_id uuid NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT members_pkey PRIMARY KEY (workspace_id, person_id),
        CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people (id),
        CONSTRAINT members_role_check CHECK (role IN ('viewer', 'editor', 'owner'))
      )`);
    await runner.query(`CREATE INDEX members_by_person ON members (person_id)`);

    // Directory, from the hash of a link to the workspace. Accepting an invitation deletes it.
    await runner.query(`
      CREATE TABLE invitations (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        hash bytea NOT NULL,
        email text NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT invitations_hash_key UNIQUE (hash),
        CONSTRAINT invitations_email_key UNIQUE (workspace_id, email),
        CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT invitations_role_check CHECK (role IN ('viewer', 'editor', 'owner'))
      )`);

    // The log of changes: who changed what. Written in the transaction of the change, and never updated. Holds no secrets and nothing
    // of a customer. No foreign key: it would lock the workspace's row, which starts wait for.
    await runner.query(`
      CREATE TABLE changes (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        actor_type text NOT NULL,
        actor_id uuid,
        actor_name text NOT NULL,
        action text NOT NULL,
        subject_type text NOT NULL,
        subject_id uuid,
        subject_name text NOT NULL,
        details jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT changes_pkey PRIMARY KEY (workspace_id, id)
      )`);
    await runner.query(`
      CREATE INDEX changes_by_actor ON changes (workspace_id, actor_id, id) WHERE actor_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX changes_by_subject ON changes (workspace_id, subject_id, id) WHERE subject_id IS NOT NULL`);

    await runner.query(`
      CREATE TABLE offers (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        key text,
        status text NOT NULL,
        name text NOT NULL,
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
        translations jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT offers_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT offers_key_key UNIQUE (workspace_id, key),
        CONSTRAINT offers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT offers_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT offers_offer_type_check CHECK (offer_type IN
          ('discount_percentage', 'discount_fixed', 'pause_subscription', 'trial_extension', 'plan_change', 'custom')),
        CONSTRAINT offers_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT offers_value_check CHECK (char_length(offer_value) <= 200 AND char_length(offer_duration) <= 200),
        CONSTRAINT offers_heading_check CHECK (char_length(heading) BETWEEN 1 AND 200),
        CONSTRAINT offers_body_check CHECK (char_length(body) <= 5000),
        CONSTRAINT offers_cta_check CHECK
          (char_length(cta_accept) BETWEEN 1 AND 200 AND char_length(cta_decline) BETWEEN 1 AND 200),
        CONSTRAINT offers_accept_url_check CHECK (char_length(accept_url) BETWEEN 1 AND 2048)
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
        key text,
        slug text NOT NULL,
        status text NOT NULL,
        current_version integer NOT NULL,
        description text,
        estimated_monthly_value numeric(12,2),
        notification_email text,
        metadata jsonb NOT NULL,
        exit jsonb,
        first_published_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT flows_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT flows_key_key UNIQUE (workspace_id, key),
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
        survey jsonb,
        locale text NOT NULL DEFAULT 'en',
        definition jsonb NOT NULL,
        cancel_in_billing boolean NOT NULL DEFAULT false,
        note text,
        published_by jsonb,
        created_at timestamptz NOT NULL,
        CONSTRAINT flow_versions_pkey PRIMARY KEY (workspace_id, flow_id, version),
        CONSTRAINT flow_versions_flow_fkey FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id),
        CONSTRAINT flow_versions_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT flow_versions_product_name_check CHECK (char_length(product_name) BETWEEN 1 AND 200),
        CONSTRAINT flow_versions_cancellation_url_check CHECK (char_length(cancellation_url) BETWEEN 1 AND 2048),
        CONSTRAINT flow_versions_flow_mode_check CHECK (flow_mode IN ('simple', 'advanced')),
        CONSTRAINT flow_versions_note_check CHECK (char_length(note) <= 1000)
      )`);

    // What the team is editing and no customer sees, one for a flow. Its graph may have faults.
    await runner.query(`
      CREATE TABLE flow_drafts (
        workspace_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        based_on_version integer NOT NULL,
        name text NOT NULL,
        product_name text NOT NULL,
        cancellation_url text NOT NULL,
        flow_mode text NOT NULL,
        offer_ids uuid[] NOT NULL,
        survey jsonb,
        locale text NOT NULL DEFAULT 'en',
        definition jsonb NOT NULL,
        cancel_in_billing boolean NOT NULL DEFAULT false,
        updated_by jsonb NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT flow_drafts_pkey PRIMARY KEY (workspace_id, flow_id),
        CONSTRAINT flow_drafts_flow_version_fkey FOREIGN KEY (workspace_id, flow_id, based_on_version)
          REFERENCES flow_versions (workspace_id, flow_id, version),
        CONSTRAINT flow_drafts_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
        CONSTRAINT flow_drafts_product_name_check CHECK (char_length(product_name) BETWEEN 1 AND 200),
        CONSTRAINT flow_drafts_cancellation_url_check CHECK (char_length(cancellation_url) BETWEEN 1 AND 2048),
        CONSTRAINT flow_drafts_flow_mode_check CHECK (flow_mode IN ('simple', 'advanced'))
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
    // An offer is kept as it was shown and as it was accepted, whatever becomes of the offer afterwards. So is what the customer
    // paid a month when the session began, or the estimate that the flow had then.
    await runner.query(`
      CREATE TABLE flow_sessions (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        session_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        locale text NOT NULL DEFAULT 'en',
        status text NOT NULL,
        current_node_key text NOT NULL,
        presented_offer jsonb,
        accepted_offer jsonb,
        saved_by_offer boolean NOT NULL DEFAULT false,
        customer_id text,
        customer jsonb,
        customer_verified boolean NOT NULL,
        subscription_id text,
        billing_customer_id text,
        monthly_amount bigint,
        currency text,
        amount_verified boolean NOT NULL DEFAULT false,
        estimated_monthly_value numeric(12, 2),
        erased_customer uuid,
        arms jsonb,
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
        CONSTRAINT flow_sessions_saved_by_offer_check CHECK (saved_by_offer = (accepted_offer IS NOT NULL)),
        CONSTRAINT flow_sessions_customer_verified_check CHECK (customer_id IS NOT NULL OR NOT customer_verified),
        CONSTRAINT flow_sessions_erased_customer_check CHECK (erased_customer IS NULL OR customer_id IS NULL),
        CONSTRAINT flow_sessions_amount_check CHECK ((monthly_amount IS NULL) = (currency IS NULL)),
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
    // Lists of one customer, and erasing. Starts that name no customer don't pay for it.
    // Statistics count customers from the index alone: it has all that they need, and the session that a customer counts with in a
    // flow is the last.
    await runner.query(`
      CREATE INDEX flow_sessions_by_customer ON flow_sessions (workspace_id, customer_id, (status <> 'in_progress'), id, flow_id,
        status, saved_by_offer, updated_at, monthly_amount, currency, amount_verified, estimated_monthly_value)
        WHERE customer_id IS NOT NULL`);
    // Searches for a customer. Starts that name no e-mail don't pay for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_email ON flow_sessions (workspace_id, lower(customer ->> 'email'), id)
        WHERE customer ->> 'email' IS NOT NULL`);
    // After erasing, the sessions of a customer still count as one person. The id is random and stands for nobody.
    await runner.query(`
      CREATE INDEX flow_sessions_by_erased_customer
        ON flow_sessions (workspace_id, erased_customer, (status <> 'in_progress'), id, flow_id,
        status, saved_by_offer, updated_at, monthly_amount, currency, amount_verified, estimated_monthly_value)
        WHERE erased_customer IS NOT NULL`);
    // Customers who are being erased, with what will stand for them, in case that it takes several tries.
    await runner.query(`
      CREATE TABLE erasures (
        workspace_id uuid NOT NULL,
        customer_id text NOT NULL,
        stand_in uuid NOT NULL,
        CONSTRAINT erasures_pkey PRIMARY KEY (workspace_id, customer_id)
      )`);
    // Lists of saved and of canceled sessions, however rare. Only the step that ends a session pays for it.
    // Whether saves last is counted from the index alone.
    await runner.query(`
      CREATE INDEX flow_sessions_by_outcome ON flow_sessions (workspace_id, status, id, flow_id, flow_version, updated_at,
        customer_id, erased_customer)
        WHERE status <> 'in_progress'`);
    // Lists of what has changed. Only the step that ends a session pays for it.
    await runner.query(`
      CREATE INDEX flow_sessions_by_end ON flow_sessions (workspace_id, updated_at)
        WHERE status <> 'in_progress'`);
    // Lists of sessions in progress that have changed, and of abandoned ones, however rare.
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
        withheld jsonb,
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

    // How the service reaches the billing system of a workspace. Both secrets are encrypted with the ENCRYPTION_KEY. The sweep reads the
    // subscriptions of saved sessions once a day: it goes on after the session swept_until.
    await runner.query(`
      CREATE TABLE billing_connections (
        workspace_id uuid NOT NULL,
        provider text NOT NULL,
        mode text NOT NULL,
        proration text NOT NULL,
        api_key bytea NOT NULL,
        last_four text NOT NULL,
        is_live boolean NOT NULL,
        webhook_secret bytea,
        swept_until uuid,
        next_sweep_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT billing_connections_pkey PRIMARY KEY (workspace_id),
        CONSTRAINT billing_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT billing_connections_provider_check CHECK (provider IN ('stripe')),
        CONSTRAINT billing_connections_mode_check CHECK (mode IN ('dry_run', 'live')),
        CONSTRAINT billing_connections_proration_check CHECK (proration IN ('create_prorations', 'always_invoice', 'none'))
      )`);

    // What billing has to do for a session that ended, and what became of it. Written in the transaction of the step that ended the
    // session. request is what is asked of the provider, fixed before it is sent; request_number makes the key that lets the provider
    // carry it out once.
    await runner.query(`
      CREATE TABLE fulfilments (
        workspace_id uuid NOT NULL,
        flow_session_id uuid NOT NULL,
        action text NOT NULL,
        mode text NOT NULL,
        state text NOT NULL,
        subscription_id text,
        attempts integer NOT NULL,
        next_attempt_at timestamptz,
        give_up_at timestamptz NOT NULL,
        request jsonb,
        request_number integer NOT NULL,
        detail text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT fulfilments_pkey PRIMARY KEY (workspace_id, flow_session_id),
        CONSTRAINT fulfilments_session_fkey FOREIGN KEY (workspace_id, flow_session_id)
          REFERENCES flow_sessions (workspace_id, id),
        CONSTRAINT fulfilments_action_check CHECK (action IN ('apply', 'cancel')),
        CONSTRAINT fulfilments_mode_check CHECK (mode IN ('dry_run', 'live')),
        CONSTRAINT fulfilments_state_check CHECK (state IN ('pending', 'applied', 'dry_run', 'manual', 'failed')),
        CONSTRAINT fulfilments_next_attempt_check CHECK ((next_attempt_at IS NOT NULL) = (state = 'pending'))
      )`);
    // What is due in all workspaces, lists of one state, and the jobs of a subscription, which wait for each other.
    await runner.query(`CREATE INDEX fulfilments_due ON fulfilments (next_attempt_at) WHERE state = 'pending'`);
    await runner.query(`CREATE INDEX fulfilments_by_state ON fulfilments (workspace_id, state, flow_session_id)`);
    await runner.query(`
      CREATE INDEX fulfilments_by_subscription ON fulfilments (workspace_id, subscription_id, created_at)
        WHERE subscription_id IS NOT NULL`);
    // Outcomes of saved sessions, by their subscription.
    await runner.query(`
      CREATE INDEX flow_sessions_by_subscription ON flow_sessions (workspace_id, subscription_id, id)
        WHERE subscription_id IS NOT NULL`);

    // What became of a customer after the session, as the workspace's billing reports it. The id is the workspace's own. After erasing,
    // the outcomes and the sessions of a customer have the same random id. No foreign key: it would write to the workspace's row.
    await runner.query(`
      CREATE TABLE outcomes (
        workspace_id uuid NOT NULL,
        id text NOT NULL,
        customer_id text,
        erased_customer uuid,
        type text NOT NULL,
        at timestamptz NOT NULL,
        amount bigint,
        currency text,
        created_at timestamptz NOT NULL,
        CONSTRAINT outcomes_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT outcomes_customer_check CHECK ((customer_id IS NULL) <> (erased_customer IS NULL)),
        CONSTRAINT outcomes_type_check CHECK (type IN ('canceled', 'paid')),
        CONSTRAINT outcomes_amount_check CHECK ((amount IS NULL) = (currency IS NULL))
      )`);
    // Erasing, and what a customer did after a session.
    await runner.query(`CREATE INDEX outcomes_by_customer ON outcomes (workspace_id, customer_id, at)
      WHERE customer_id IS NOT NULL`);
    await runner.query(`CREATE INDEX outcomes_by_erased_customer ON outcomes (workspace_id, erased_customer, at)
      WHERE erased_customer IS NOT NULL`);
    // What happened since a time. Old outcomes are deleted.
    await runner.query(`CREATE INDEX outcomes_by_time ON outcomes (workspace_id, at)`);

    // What statistics are added up from: how many sessions that began on a day (UTC) have something in common, and how they
    // ended. Each session is added once, when those of its hour are over, and the hours of a workspace in their order: `until` is
    // the end of the last one. Holds nothing of a customer, and stays when sessions are deleted.
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
        until timestamptz NOT NULL,
        CONSTRAINT daily_sums_pkey PRIMARY KEY (workspace_id, day, flow_id, flow_version, kind, node_key, value),
        CONSTRAINT daily_sums_kind_check CHECK (kind IN
          ('session', 'anonymous', 'answer', 'offer', 'withheld', 'way', 'arm', 'step', 'stopped'))
      )`);
    // A walk through a flow that is counted nowhere: no session of a customer, so it is in a table of its own. At most 100 of a
    // workspace. `draft` is the draft as it was, if it is of one. `steps` has no comments.
    await runner.query(`
      CREATE TABLE previews (
        workspace_id uuid NOT NULL,
        session_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        draft jsonb,
        locale text NOT NULL,
        attributes jsonb NOT NULL,
        arms jsonb NOT NULL,
        position jsonb NOT NULL,
        steps jsonb NOT NULL,
        test_session jsonb,
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

    // Events refer to sessions without a foreign key, so that old sessions can be deleted. They hold nothing of a customer; what a
    // preview tells, they hold whole.
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
        key text,
        url text NOT NULL,
        description text NOT NULL,
        event_types text[] NOT NULL,
        test_events boolean NOT NULL DEFAULT false,
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
        CONSTRAINT webhooks_key_key UNIQUE (workspace_id, key),
        CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT webhooks_status_check CHECK (status IN ('enabled', 'disabled')),
        CONSTRAINT webhooks_url_check CHECK (char_length(url) BETWEEN 1 AND 2048),
        CONSTRAINT webhooks_description_check CHECK (char_length(description) <= 5000)
      )`);

    // One row for an event and a recipient, whatever the number of attempts: a webhook, or a flow, whose address gets a mail. Mails that
    // are too many for an hour are collected in a summary, which the first of them carries: `summary_id` is its event_id. No foreign
    // key to webhooks, whose deliveries are deleted with them, nor to flows: it would lock the flow's row.
    await runner.query(`
      CREATE TABLE deliveries (
        workspace_id uuid NOT NULL,
        event_id uuid NOT NULL,
        recipient_id uuid NOT NULL,
        transport text NOT NULL,
        flow_session_id uuid,
        status text NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz,
        last_status integer,
        last_error text,
        summary_id uuid,
        address text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT deliveries_pkey PRIMARY KEY (workspace_id, event_id, recipient_id),
        CONSTRAINT deliveries_event_fkey FOREIGN KEY (workspace_id, event_id)
          REFERENCES events (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT deliveries_transport_check CHECK (transport IN ('webhook', 'mail')),
        CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
        CONSTRAINT deliveries_next_attempt_check CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))
      )`);
    // Lists of one webhook, and of what was not delivered, however rare.
    await runner.query(`CREATE INDEX deliveries_by_recipient ON deliveries (workspace_id, recipient_id, event_id)`);
    await runner.query(`
      CREATE INDEX deliveries_undelivered ON deliveries (workspace_id, recipient_id, status, event_id)
        WHERE status <> 'delivered'`);
    // The next attempts at a recipient, and the events of a session that wait for each other.
    await runner.query(`
      CREATE INDEX deliveries_due ON deliveries (workspace_id, recipient_id, next_attempt_at) WHERE status = 'pending'`);
    await runner.query(`
      CREATE INDEX deliveries_in_order ON deliveries (workspace_id, recipient_id, flow_session_id, event_id)
        WHERE status = 'pending'`);
    // The mails that are due in all workspaces, those of a workspace in the last hour, and what a summary tells of.
    await runner.query(`
      CREATE INDEX deliveries_mails_due ON deliveries (next_attempt_at) WHERE transport = 'mail' AND status = 'pending'`);
    await runner.query(`
      CREATE INDEX deliveries_mailed ON deliveries (workspace_id, status, updated_at)
        WHERE transport = 'mail' AND attempts > 0`);
    await runner.query(`
      CREATE INDEX deliveries_by_summary ON deliveries (workspace_id, summary_id) WHERE summary_id IS NOT NULL`);

    // What customers declared on the page that the law asks for, as evidence: what was sent, what the page said, and when it came. The
    // customer sees the number; the key is in the link to the receipt. Only erasing changes a row.
    await runner.query(`
      CREATE TABLE declarations (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        number text NOT NULL,
        receipt_key uuid NOT NULL,
        event_id uuid NOT NULL,
        flow_id uuid NOT NULL,
        flow_version integer NOT NULL,
        kind text NOT NULL,
        name text,
        email text,
        contract text NOT NULL,
        termination text,
        reason text,
        "when" text,
        language text NOT NULL,
        shown text,
        team_email text,
        content_hash bytea NOT NULL,
        erased_at timestamptz,
        created_at timestamptz NOT NULL,
        CONSTRAINT declarations_pkey PRIMARY KEY (workspace_id, id),
        CONSTRAINT declarations_number_key UNIQUE (workspace_id, number),
        CONSTRAINT declarations_receipt_key UNIQUE (workspace_id, receipt_key),
        CONSTRAINT declarations_flow_version_fkey FOREIGN KEY (workspace_id, flow_id, flow_version)
          REFERENCES flow_versions (workspace_id, flow_id, version),
        CONSTRAINT declarations_kind_check CHECK (kind IN ('termination', 'withdrawal')),
        CONSTRAINT declarations_termination_check CHECK ((termination IS NULL) = (kind = 'withdrawal')),
        CONSTRAINT declarations_erased_check CHECK
          ((erased_at IS NULL AND name IS NOT NULL AND email IS NOT NULL)
            OR (erased_at IS NOT NULL AND name IS NULL AND email IS NULL AND reason IS NULL))
      )`);
    // The same sent again is the same declaration.
    await runner.query(`CREATE INDEX declarations_by_content ON declarations (workspace_id, content_hash, created_at)`);
    // Old declarations are deleted.
    await runner.query(`CREATE INDEX declarations_by_age ON declarations (created_at)`);

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
      DROP TABLE declarations, fulfilments, billing_connections, erasures, daily_sums, outcomes, abandonment_cursors, deliveries, webhooks, events, outbox, previews, session_steps, flow_sessions, flow_slugs, flow_drafts, flow_versions, flows, idempotency_keys, offers, changes, invitations, members, one_time_links, person_sessions, people, customer_keys, api_keys, workspace_codes, workspaces`);
  }
}
