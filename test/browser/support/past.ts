import { idFrom, idTime } from '../../../src/platform/api/ids';
import { connected } from '../../support/database';

interface Past {
  /** The slug of the flow: a survey with the key `reason`, and an offer. */
  slug: string;
  sessions: number;
  days: number;
}

const FATES = `(ARRAY['saved', 'canceled', 'in_progress', 'canceled'])[1 + n % 4]`;
const REASONS = `(ARRAY['too_expensive', 'missing_features', 'not_using', 'other'])[1 + n / 4 % 4]`;

const DRAW = `
  CREATE TEMPORARY TABLE drawn ON COMMIT DROP AS
    SELECT n, flow.workspace_id, flow.id AS flow_id, flow.current_version AS version, estimated_monthly_value, ${FATES} AS status, at,
      ${idFrom(idTime('at'), 'gen_random_uuid()::text')} AS id,
      (SELECT jsonb_build_object('id', id, 'name', name) FROM offers WHERE workspace_id = flow.workspace_id LIMIT 1) AS offer
    FROM flows AS flow, generate_series(0, $2::integer - 1) AS n,
      LATERAL (SELECT now() - n * make_interval(days => $3) / $2 AS at) AS time
    WHERE slug = $1`;

const FILL = [
  `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, accepted_offer,
      saved_by_offer, customer_id, customer, customer_verified, estimated_monthly_value, created_at, updated_at, ended_at)
    SELECT workspace_id, id, gen_random_uuid(), flow_id, version, status, 'reason', CASE WHEN status = 'saved' THEN offer END,
      status = 'saved', 'cus_' || n, '{}', false, estimated_monthly_value, at, at,
      CASE WHEN status <> 'in_progress' THEN at END FROM drawn`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, words, created_at)
    SELECT workspace_id, id, 1, 'reason', 'survey', 'answer', ${REASONS}, comment,
      array_to_tsvector(ARRAY[workspace_id::text]) || to_tsvector('simple', comment), at
    FROM (SELECT *, CASE WHEN n % 2 = 0 THEN 'What was said in session ' || n END AS comment FROM drawn) AS said`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, offer, created_at)
    SELECT workspace_id, id, 2, 'offer_1', 'offer', CASE status WHEN 'saved' THEN 'accept' ELSE 'decline' END, offer, at
    FROM drawn WHERE status <> 'in_progress'`,
  // Sums hold what was added since they began. They begin anew.
  'TRUNCATE daily_sums',
];

/**
 * Fills a flow with sessions, evenly over days until now, the latest first: of four, one accepted the offer, two
 * canceled, one stopped. Each answered the survey, every other one with a comment.
 */
export async function fillPast(databaseUrl: string, { slug, sessions, days }: Past): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(DRAW, [slug, sessions, days]);
    for (const statement of FILL) await client.query(statement);
    await client.query('COMMIT');
  });
}
