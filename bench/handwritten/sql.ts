/** The statements of the hand-written server; a name makes Postgres prepare one once for each connection. */

/** What is known of a slug once its workspace is locked. */
export interface StartableFlow {
  workspace_id: string;
  flow_id: string;
  status: string;
  version: number;
  name: string;
  entry_node: { key: string };
  primary_color: string;
  logo_url: string;
  session_limit: number;
  sessions_used: number;
}

/** Flow, version and workspace in one round trip; what it waits for is read again once the lock is there. */
export const lockWorkspace = {
  name: 'lock_workspace',
  text: `
    SELECT w.id AS workspace_id, f.id AS flow_id, f.status, v.version, v.name, v.entry_node, w.primary_color,
      w.logo_url, w.session_limit,
      CASE WHEN w.usage_period >= date_trunc('month', now(), 'UTC') THEN w.sessions_used ELSE 0 END AS sessions_used
    FROM flows f
    JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.current_version
    JOIN workspaces w ON w.id = f.workspace_id
    WHERE f.slug = $1
    FOR NO KEY UPDATE OF w`,
};

export const insertSession = {
  name: 'insert_session',
  text: `
    INSERT INTO sessions (id, workspace_id, flow_id, flow_version, status, current_node_key)
    VALUES ($1, $2, $3, $4, 'in_progress', $5)`,
};

export const countSession = {
  name: 'count_session',
  text: `UPDATE workspaces SET usage_period = date_trunc('month', now(), 'UTC'), sessions_used = $2 WHERE id = $1`,
};

export const findKey = {
  name: 'find_key',
  text: 'SELECT workspace_id FROM api_keys WHERE hash = $1 AND revoked_at IS NULL',
};

const LISTED = 'f.id, v.name, f.slug, v.product_name, f.status, v.flow_mode, f.current_version, f.updated_at';
const CURRENT = 'flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.current_version';

export const listFlows = {
  name: 'list_flows',
  text: `
    SELECT ${LISTED} FROM ${CURRENT}
    WHERE f.workspace_id = $1 AND f.status <> 'archived' ORDER BY f.id DESC LIMIT $2`,
};

export const getFlow = {
  name: 'get_flow',
  text: `
    SELECT ${LISTED}, v.cancellation_url, f.description, f.estimated_monthly_value::float8, f.notification_email,
      v.offer_ids, v.definition, f.created_at
    FROM ${CURRENT} WHERE f.workspace_id = $1 AND f.id = $2`,
};

export const OFFER_COLUMNS = [
  'name',
  'offer_type',
  'offer_value',
  'offer_duration',
  'heading',
  'body',
  'cta_accept',
  'cta_decline',
] as const;

export const insertOffer = {
  name: 'insert_offer',
  text: `
    INSERT INTO offers (id, workspace_id, ${OFFER_COLUMNS.join(', ')})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};
