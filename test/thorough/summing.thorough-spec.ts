import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { connected, workerDatabaseUrl } from '../support/database';
import { serviceForAll } from '../support/service';

const PUBLIC = '/api/v1/public';

describe('Statistics that are added up', () => {
  const service = serviceForAll();

  it('come though one customer has 20,000 sessions, and few of them ended', async () => {
    const acme = await service.workspace();
    const flow = await acme.publishedFlow();
    // Without the time-outs of the service.
    const query = (sql: string, ...values: unknown[]) =>
      connected(workerDatabaseUrl(), (client) => client.query(sql, values));
    await query(
      `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id,
          customer_verified, created_at, updated_at)
        SELECT $1, (lpad(to_hex((extract(epoch FROM began) * 1000)::bigint), 12, '0') || '7' || right(gen_random_uuid()::text, 21))::uuid,
          gen_random_uuid(), $2, 1, 'in_progress', 'start', 'cus_1', false, began, began
        FROM generate_series(1, 20000) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - interval '5 days' + n * interval '13 seconds') AS time (began)`,
      acme.id,
      flow.id,
    );
    await query(
      `UPDATE flow_sessions SET status = 'canceled', ended_at = updated_at WHERE workspace_id = $1
        AND id < (SELECT id FROM flow_sessions WHERE workspace_id = $1 ORDER BY id OFFSET 800 LIMIT 1)`,
      acme.id,
    );
    const numbers = async () => {
      const { body } = await acme.client.get(`${PUBLIC}/stats`);
      return { customers: body.customers, sessions: body.sessions };
    };
    const before = await numbers();
    expect(before).toMatchObject({
      customers: { total: 1, canceled: 1 },
      sessions: { total: 20_000, canceled: 800 },
    });
    while (await service.app.get(DailySums).sumNext());
    expect(await numbers()).toEqual(before);
  });
});
