/** The tables that the routes need, keyed and indexed for exactly that. */
export const TABLES = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    session_limit integer NOT NULL,
    usage_period timestamptz NOT NULL DEFAULT date_trunc('month', now(), 'UTC'),
    sessions_used integer NOT NULL DEFAULT 0,
    primary_color text NOT NULL DEFAULT '#4f46e5',
    logo_url text NOT NULL DEFAULT ''
  ) WITH (fillfactor = 50);

  CREATE TABLE api_keys (
    hash bytea PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    revoked_at timestamptz
  );

  CREATE TABLE offers (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    offer_type text NOT NULL,
    offer_value text NOT NULL,
    offer_duration text NOT NULL,
    heading text NOT NULL,
    body text NOT NULL,
    cta_accept text NOT NULL,
    cta_decline text NOT NULL,
    status text NOT NULL DEFAULT 'active',
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON offers (workspace_id, id);

  CREATE TABLE flows (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    slug text NOT NULL UNIQUE,
    status text NOT NULL DEFAULT 'draft',
    current_version integer NOT NULL DEFAULT 1,
    description text,
    estimated_monthly_value numeric(12,2),
    notification_email text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON flows (workspace_id, id);

  CREATE TABLE flow_versions (
    flow_id uuid NOT NULL REFERENCES flows,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    product_name text NOT NULL,
    cancellation_url text NOT NULL,
    flow_mode text NOT NULL DEFAULT 'simple',
    offer_ids uuid[] NOT NULL,
    definition jsonb NOT NULL,
    PRIMARY KEY (flow_id, version)
  );

  CREATE TABLE flow_sessions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    flow_version integer NOT NULL,
    status text NOT NULL DEFAULT 'in_progress',
    current_node_key text NOT NULL,
    presented_offer jsonb,
    accepted_offer jsonb,
    step_count integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (flow_id, flow_version) REFERENCES flow_versions (flow_id, version)
  );

  CREATE TABLE session_steps (
    session_id uuid NOT NULL REFERENCES flow_sessions,
    position integer NOT NULL,
    node_key text NOT NULL,
    action text NOT NULL,
    option text,
    comment text,
    offer jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (session_id, position)
  );
`;

/** With its name, Postgres prepares a statement once for each connection. */
const prepared = (name: string, text: string) => ({ name, text });

/** What changes while it waits for the lock is read again. */
export const lockWorkspace = prepared(
  'lock_workspace',
  `SELECT w.id AS workspace_id, f.id AS flow_id, f.status, f.current_version AS flow_version, w.primary_color,
     w.logo_url, w.session_limit,
     CASE WHEN w.usage_period >= date_trunc('month', now(), 'UTC') THEN w.sessions_used ELSE 0 END AS sessions_used
   FROM flows f JOIN workspaces w ON w.id = f.workspace_id
   WHERE f.slug = $1
   FOR NO KEY UPDATE OF w`,
);

export const insertSession = prepared(
  'insert_session',
  `INSERT INTO flow_sessions (id, workspace_id, flow_id, flow_version, current_node_key) VALUES ($1, $2, $3, $4, $5)`,
);

export const countSession = prepared(
  'count_session',
  `UPDATE workspaces SET usage_period = date_trunc('month', now(), 'UTC'), sessions_used = $2 WHERE id = $1`,
);

export const lockSession = prepared(
  'lock_session',
  `SELECT workspace_id, flow_id, flow_version, status, current_node_key, presented_offer, step_count
   FROM flow_sessions WHERE id = $1 FOR NO KEY UPDATE`,
);

export const getVersion = prepared(
  'get_version',
  'SELECT name, cancellation_url, definition FROM flow_versions WHERE flow_id = $1 AND version = $2',
);

export const getOffer = prepared(
  'get_offer',
  `SELECT id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline
   FROM offers WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
);

export const insertStep = prepared(
  'insert_step',
  `INSERT INTO session_steps (session_id, position, node_key, action, option, comment, offer)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

export const updateSession = prepared(
  'update_session',
  `UPDATE flow_sessions SET status = $2, current_node_key = $3, presented_offer = $4, accepted_offer = $5,
     step_count = step_count + 1, updated_at = now()
   WHERE id = $1`,
);

export const findKey = prepared('find_key', 'SELECT workspace_id FROM api_keys WHERE hash = $1 AND revoked_at IS NULL');

const LISTED = 'f.id, v.name, f.slug, v.product_name, f.status, v.flow_mode, f.current_version, f.updated_at';
const CURRENT = 'flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.current_version';

export const listFlows = prepared(
  'list_flows',
  `SELECT ${LISTED} FROM ${CURRENT}
   WHERE f.workspace_id = $1 AND f.status <> 'archived' ORDER BY f.id DESC LIMIT $2`,
);

export const getFlow = prepared(
  'get_flow',
  `SELECT ${LISTED}, v.cancellation_url, f.description, f.estimated_monthly_value::float8, f.notification_email,
     v.offer_ids, v.definition, f.created_at
   FROM ${CURRENT} WHERE f.workspace_id = $1 AND f.id = $2`,
);

export const insertOffer = prepared(
  'insert_offer',
  `INSERT INTO offers (id, workspace_id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept,
     cta_decline)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

// Not measured:

export const INSERT_FLOW = 'INSERT INTO flows (id, workspace_id, slug) VALUES ($1, $2, $3)';

export const INSERT_VERSION = `
  INSERT INTO flow_versions (flow_id, name, product_name, cancellation_url, offer_ids, definition)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export const SET_FLOW_STATUS = 'UPDATE flows SET status = $3, updated_at = now() WHERE workspace_id = $1 AND id = $2';

export const INSERT_WORKSPACE = 'INSERT INTO workspaces (id, name, session_limit) VALUES ($1, $2, $3)';

export const INSERT_KEY = 'INSERT INTO api_keys (hash, workspace_id) VALUES ($1, $2)';

export const LIST_WORKSPACES = 'SELECT id, sessions_used FROM workspaces';
