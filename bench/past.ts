import { idFrom, idTime } from '../src/common/ids';
import { withClient } from './postgres';

const SHOWN = 'id, name, offer_type, offer_value, offer_duration, heading, body, cta_accept, cta_decline, metadata';

/** Sessions of the past, spread evenly over so many days until now. */
export interface Past {
  sessions: number;
  days: number;
}

/** A customer comes 1.3 times on average. */
const SESSIONS_PER_CUSTOMER = 4 / 3;

/**
 * Sessions of simple flows: start, survey, offer, confirm. A quarter is saved, a third canceled, the others stop at the survey or
 * the offer. Each has a customer with two attributes, one in ten has a comment, one in a hundred took a step a day later.
 * Three in ten are of the oldest flow, the others mostly of the next oldest.
 */
const statements = ({ sessions, days }: Past) => [
  `CREATE TEMPORARY TABLE drawn AS
    SELECT n, now() - interval '${days} days' * (n::float / ${sessions}) AS at, random() AS fate, random() AS second,
      (random() * ${sessions / SESSIONS_PER_CUSTOMER})::integer AS customer, n % 100 = 0 AS is_late,
      CASE WHEN random() < 0.3 THEN 1 ELSE 1 + floor(power(random(), 3) * (SELECT count(*) FROM flows)) END AS flow_number
    FROM generate_series(1, ${sessions}) AS n`,
  `CREATE TEMPORARY TABLE numbered AS
    SELECT row_number() OVER (ORDER BY flow.id) AS flow_number, flow.workspace_id, flow.id, flow.current_version, to_jsonb(shown) AS shown
    FROM flows AS flow, LATERAL (SELECT ${SHOWN} FROM offers WHERE workspace_id = flow.workspace_id LIMIT 1) AS shown`,
  'ANALYZE numbered',
  `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, presented_offer,
      accepted_offer, customer_id, customer, customer_verified, idempotency_key, request_hash, created_at, updated_at)
    SELECT flow.workspace_id, ${idFrom(idTime('at'), 'gen_random_uuid()::text')}, gen_random_uuid(), flow.id, flow.current_version,
      CASE WHEN fate < 0.25 THEN 'saved' WHEN fate < 0.58 THEN 'canceled' ELSE 'in_progress' END,
      CASE WHEN fate < 0.25 THEN 'offer_1' WHEN fate < 0.58 THEN 'confirm'
        WHEN get_byte(sha256(n::text::bytea), 2) < 100 THEN 'offer_1' ELSE 'reason' END,
      NULL, CASE WHEN fate < 0.2 THEN shown END, 'cus_' || customer,
      jsonb_build_object('email', 'customer' || customer || '@example.com', 'attributes',
        jsonb_build_object('plan', (ARRAY['free', 'pro', 'team'])[1 + customer % 3], 'seats', customer % 40)),
      false, 'key-' || n, sha256(n::text::bytea), at, at + CASE WHEN is_late THEN interval '25 hours' ELSE interval '1 minute' END
    FROM drawn JOIN numbered AS flow USING (flow_number) ORDER BY at`,
  `INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, offer, created_at)
    SELECT session.workspace_id, session.id, step.*
    FROM flow_sessions AS session JOIN numbered AS flow ON flow.workspace_id = session.workspace_id AND flow.id = session.flow_id,
    LATERAL (VALUES
      (1, 'start', 'start', 'continue', NULL, NULL, NULL::jsonb, session.created_at),
      (2, 'reason', 'survey', 'answer', (ARRAY['too_expensive', 'missing_features', 'not_using', 'switching', 'technical_issues', 'other'])[1 + get_byte(request_hash, 0) % 6],
        CASE WHEN get_byte(request_hash, 1) < 45 THEN 'It is too much for what it gives me now.' END, NULL, session.created_at),
      (3, 'offer_1', 'offer', CASE WHEN status = 'canceled' THEN 'decline' WHEN accepted_offer IS NULL THEN 'keep' ELSE 'accept' END, NULL, NULL, shown,
        CASE WHEN status = 'canceled' THEN session.created_at ELSE session.updated_at END),
      (4, 'confirm', 'confirm', 'confirm', NULL, NULL, NULL, session.updated_at)
    ) AS step
    WHERE step.column1 <= CASE status WHEN 'saved' THEN 3 WHEN 'canceled' THEN 4 ELSE 1 END
      OR (step.column1 = 2 AND get_byte(request_hash, 2) < 100)`,
  'VACUUM ANALYZE flow_sessions',
  'VACUUM ANALYZE session_steps',
];

/** Fills a database that has flows, each in a workspace with an offer. */
export async function fillPast(databaseUrl: string, past: Past): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // Foreign keys need no check, if the role may leave it out.
    await client.query(
      `SELECT set_config('session_replication_role', 'replica', false) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
    );
    for (const statement of statements(past)) await client.query(statement);
  });
}
