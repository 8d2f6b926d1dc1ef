import { randomUUID } from 'node:crypto';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { serviceForAll, workspaceForEach } from '../support/service';

const INIT = '/api/v1/runtime/session/init';

describe('The turn of a month', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it('counts a start that waited for it in the new month, and dates it there', async () => {
    const flow = await acme.publishedFlow();
    const start = (key?: string) =>
      service.client.post(INIT, { flow_slug: flow.slug }, key ? { 'idempotency-key': key } : {});
    await start();
    const { period_end } = await acme.usage();
    for (const key of [undefined, randomUUID()]) {
      await connected(workerDatabaseUrl(), async (client) => {
        await client.query('BEGIN');
        // Somebody else counts a session after midnight, by a database clock that the start has not seen yet.
        await client.query('UPDATE workspaces SET usage_period = $1, sessions_used = 1 WHERE id = $2', [
          period_end,
          acme.id,
        ]);
        const waiting = start(key);
        await untilBlocking(client);
        await client.query('COMMIT');
        expect((await waiting).status).toBe(201);
      });
      expect(await acme.usage()).toMatchObject({ sessions_used: 2, period_start: period_end });
    }
    const [{ rows }] = await service.database.query(
      `SELECT count(*)::int AS rows FROM flow_sessions JOIN workspaces w ON w.id = workspace_id
        WHERE w.id = $1 AND flow_sessions.created_at >= usage_period`,
      [acme.id],
    );
    expect(rows).toBe(2);
  });
});
