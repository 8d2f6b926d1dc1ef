import { MigrationInterface, QueryRunner } from 'typeorm';

/** What indexes say of a session, before and after: no longer when its last step was. */
const BEFORE = {
  flow_sessions_by_last_step: `(workspace_id, updated_at) WHERE status = 'in_progress'`,
  flow_sessions_undated: `(workspace_id, updated_at) WHERE status <> 'in_progress' AND ended_at IS NULL`,
  ...acceptancesBy('updated_at'),
};
const AFTER = {
  flow_sessions_open: `(workspace_id, id) WHERE status = 'in_progress'`,
  flow_sessions_undated: `(workspace_id, id) WHERE status <> 'in_progress' AND ended_at IS NULL`,
  ...acceptancesBy('ended_at'),
};

/** @param time the column that says when a session ended */
function acceptancesBy(time: string) {
  return {
    flow_sessions_by_acceptance: `(workspace_id, customer_id, (accepted_offer ->> 'id'), ${time})
      WHERE saved_by_offer AND customer_id IS NOT NULL`,
    flow_sessions_by_acceptance_of_subscription: `(workspace_id, subscription_id, (accepted_offer ->> 'id'), ${time})
      WHERE saved_by_offer AND customer_verified AND subscription_id IS NOT NULL`,
  };
}

/**
 * A step that does not end its session changes no index any more, and its page has room for it: Postgres makes it a HOT update. The
 * service goes on meanwhile. What was interrupted can be done again.
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

/** Each index is there all the time, under its old name or its new one. */
async function replace(runner: QueryRunner, old: Record<string, string>, now: Record<string, string>): Promise<void> {
  for (const [name, definition] of Object.entries(now)) {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_new`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${name}_new ON flow_sessions ${definition}`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`ALTER INDEX ${name}_new RENAME TO ${name}`);
  }
  for (const name of Object.keys(old).filter((one) => !(one in now)))
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
