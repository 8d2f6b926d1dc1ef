import { MigrationInterface, QueryRunner } from 'typeorm';

type Indexes = Record<string, string>;

/** What indexes say of a session, before and after: no longer when its last step was. */
const BEFORE: Indexes = {
  flow_sessions_by_last_step: `(workspace_id, updated_at) WHERE status = 'in_progress'`,
  flow_sessions_undated: `(workspace_id, updated_at) WHERE status <> 'in_progress' AND ended_at IS NULL`,
  flow_sessions_by_acceptance: `(workspace_id, customer_id, (accepted_offer ->> 'id'), updated_at)
    WHERE saved_by_offer AND customer_id IS NOT NULL`,
  flow_sessions_by_acceptance_of_subscription: `(workspace_id, subscription_id, (accepted_offer ->> 'id'), updated_at)
    WHERE saved_by_offer AND customer_verified AND subscription_id IS NOT NULL`,
};
const AFTER: Indexes = {
  flow_sessions_open: `(workspace_id, id) WHERE status = 'in_progress'`,
  flow_sessions_without_end: `(workspace_id, id) WHERE status <> 'in_progress' AND ended_at IS NULL`,
  flow_sessions_accepted: `(workspace_id, customer_id, (accepted_offer ->> 'id')) WHERE saved_by_offer AND customer_id IS NOT NULL`,
  flow_sessions_accepted_of_subscription: `(workspace_id, subscription_id, (accepted_offer ->> 'id'))
    WHERE saved_by_offer AND customer_verified AND subscription_id IS NOT NULL`,
};

/**
 * A step that does not end its session changes no index any more, and its page has room for it: Postgres makes it a HOT update. The
 * service goes on meanwhile. What was interrupted is taken up where it ended.
 */
export class StepsWithoutIndexes1796600000000 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await replace(runner, BEFORE, AFTER);
    await runner.query(`ALTER TABLE flow_sessions SET (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, AFTER, BEFORE);
    await runner.query(`ALTER TABLE flow_sessions RESET (fillfactor)`);
  }
}

async function replace(runner: QueryRunner, old: Indexes, indexes: Indexes): Promise<void> {
  // What an interruption left half-made is of no use.
  const invalid: { name: string }[] = await runner.query(
    `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = ANY ($1) AND NOT indisvalid`,
    [Object.keys(indexes)],
  );
  for (const { name } of invalid) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  for (const [name, definition] of Object.entries(indexes))
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON flow_sessions ${definition}`);
  for (const name of Object.keys(old)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
