import { idFrom, idTime } from '../../src/common/ids';
import { withClient } from '../postgres';

export const SESSIONS = 1_000_000;
const CUSTOMERS = 750_000;
const DAYS = 30;

/**
 * The sessions of the only flow of a workspace: start, survey, offer, confirm. A quarter is saved, a third canceled, the others
 * stop at the survey or the offer. Each has a customer with two attributes, one in ten has a comment, one in a hundred took a step
 * a day later.
 */
const STATEMENTS = [
  `CREATE TEMPORARY TABLE drawn AS
    SELECT n, now() - n * interval '${DAYS} days' / ${SESSIONS} AS at, random() AS fate, random() AS second,
      (random() * ${CUSTOMERS})::integer AS customer, n % 100 = 0 AS is_late
    FROM generate_series(1, ${SESSIONS}) AS n`,
  `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, presented_offer,
      accepted_offer, customer_id, customer, customer_verified, idempotency_key, request_hash, created_at, updated_at)
    SELECT flow.workspace_id, ${idFrom(idTime('at'), 'gen_random_uuid()::text')}, gen_random_uuid(), flow.id, flow.current_version,
      CASE WHEN fate < 0.25 THEN 'saved' WHEN fate < 0.58 THEN 'canceled' ELSE 'in_progress' END,
      CASE WHEN fate < 0.25 THEN 'offer_1' WHEN fate < 0.58 THEN 'confirm'
        WHEN get_byte(sha256(n::text::bytea), 2) < 100 THEN 'offer_1' ELSE 'reason' END,
      NULL, CASE WHEN fate < 0.2 THEN to_jsonb(shown) END, 'cus_' || customer,
      jsonb_build_object('email', 'customer' || customer || '@example.com', 'attributes',
        jsonb_build_object('plan', (ARRAY['free', 'pro', 'team'])[1 + customer % 3], 'seats', customer % 40)),
      false, 'key-' || n, sha256(n::text::bytea), at, at + CASE WHEN is_late THEN interval '25 hours' ELSE interval '1 minute' END
    FROM drawn, flows AS flow, (SELECT id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline, metadata FROM offers) AS shown
    ORDER BY at`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, created_at)
    SELECT workspace_id, session.id, step.*
    FROM flow_sessions AS session, (SELECT id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline, metadata FROM offers) AS shown,
    LATERAL (VALUES
      (1, 'start', 'start', 'continue', NULL, NULL, NULL::jsonb, session.created_at),
      (2, 'reason', 'survey', 'answer', (ARRAY['too_expensive', 'missing_features', 'not_using', 'switching', 'technical_issues', 'other'])[1 + get_byte(request_hash, 0) % 6],
        CASE WHEN get_byte(request_hash, 1) < 45 THEN 'It is too much for what it gives me now.' END, NULL, session.created_at),
      (3, 'offer_1', 'offer', CASE WHEN status = 'canceled' THEN 'decline' WHEN accepted_offer IS NULL THEN 'keep' ELSE 'accept' END, NULL, NULL, to_jsonb(shown),
        CASE WHEN status = 'canceled' THEN session.created_at ELSE session.updated_at END),
      (4, 'confirm', 'confirm', 'confirm', NULL, NULL, NULL, session.updated_at)
    ) AS step
    WHERE step.column1 <= CASE status WHEN 'saved' THEN 3 WHEN 'canceled' THEN 4 ELSE 1 END
      OR (step.column1 = 2 AND get_byte(request_hash, 2) < 100)`,
  'VACUUM ANALYZE flow_sessions',
  'VACUUM ANALYZE session_steps',
];

/** Fills the database of one workspace that has one flow and one offer. */
export async function fillSessions(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const statement of STATEMENTS) await client.query(statement);
  });
}
