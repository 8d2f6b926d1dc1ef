import { MigrationInterface, QueryRunner } from 'typeorm';

const WHAT_CUSTOMERS_COUNT_WITH = 'monthly_amount, currency, amount_verified, estimated_monthly_value';

/** `time`: the column that says when a session ended. */
const indexesBy = (time: string) => ({
  flow_sessions_by_customer: `(workspace_id, customer_id, (status <> 'in_progress'), id, flow_id, status, saved_by_offer, ${time},
    ${WHAT_CUSTOMERS_COUNT_WITH}) WHERE customer_id IS NOT NULL`,
  flow_sessions_by_erased_customer: `(workspace_id, erased_customer, (status <> 'in_progress'), id, flow_id, status, saved_by_offer,
    ${time}, ${WHAT_CUSTOMERS_COUNT_WITH}) WHERE erased_customer IS NOT NULL`,
  flow_sessions_by_outcome: `(workspace_id, status, id, flow_id, flow_version, ${time}, customer_id, erased_customer)
    WHERE status <> 'in_progress'`,
  flow_sessions_by_end: `(workspace_id, ${time}) WHERE status <> 'in_progress'`,
});

/**
 * Sessions that have ended get the time of it, and the indexes take it in place of that of the last step. The service goes on
 * meanwhile. What was interrupted can be done again.
 */
export class IndexesOfEnds1796300000001 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    // Those that an older version ends while both are running are found by this index, too.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS flow_sessions_undated`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY flow_sessions_undated ON flow_sessions (workspace_id, updated_at)
        WHERE status <> 'in_progress' AND ended_at IS NULL`);
    const workspaces: { id: string }[] = await runner.query(`SELECT id FROM workspaces`);
    for (const { id } of workspaces) while (await dateSome(runner, id));
    await replaceIndexes(runner, indexesBy('ended_at'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, indexesBy('updated_at'));
    await runner.query(`DROP INDEX CONCURRENTLY flow_sessions_undated`);
  }
}

/** Returns whether there were any. */
async function dateSome(runner: QueryRunner, workspaceId: string): Promise<boolean> {
  const [, dated] = await runner.query(
    `UPDATE flow_sessions SET ended_at = updated_at WHERE workspace_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM flow_sessions WHERE workspace_id = $1 AND status <> 'in_progress' AND ended_at IS NULL LIMIT 5000))`,
    [workspaceId],
  );
  return dated > 0;
}

async function replaceIndexes(runner: QueryRunner, definitions: Record<string, string>): Promise<void> {
  for (const [name, definition] of Object.entries(definitions)) {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_new`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${name}_new ON flow_sessions ${definition}`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`ALTER INDEX ${name}_new RENAME TO ${name}`);
  }
}
