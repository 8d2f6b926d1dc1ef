import { workerDatabaseUrl } from '../../support/database';
import { startPooler } from '../../support/pooler';
import { Service } from '../../support/service';

describe('Behind a pooler', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  let service: Service;

  beforeAll(async () => {
    pooler = await startPooler(workerDatabaseUrl());
    service = await Service.start({ DATABASE_URL: pooler.url, DATABASE_POOL_SIZE: '2' });
  });
  afterAll(async () => {
    await service.stop();
    await pooler.stop();
  });

  it('offers and flows are managed and sessions start, and leave no setting and no prepared statement on a connection', async () => {
    const acme = await service.workspace();
    await acme.offer();
    const { id, slug } = await acme.publishedFlow();
    expect((await acme.client.get(`/api/v1/public/flows/${id}`)).body.slug).toBe(slug);
    for (let start = 0; start < 3; start++) {
      const { status, body } = await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug });
      expect(status).toBe(201);
      const step = { node_key: 'start', action: 'continue' };
      expect((await service.client.post(`/api/v1/runtime/session/${body.session_id}/step`, step)).status).toBe(200);
    }

    const { status, body } = await acme.client.get('/api/v1/public/sessions?updated_since=2026-01-01');
    expect([status, body.updated_until]).toEqual([200, expect.any(String)]);

    const connections = [service.database.createQueryRunner(), service.database.createQueryRunner()];
    const kept = await Promise.all(
      connections.map((connection) =>
        connection.query(
          `SELECT name FROM pg_prepared_statements
           UNION ALL SELECT name FROM pg_settings
             WHERE name ~ '_timeout$|_check_interval$|^enable_|^jit$' AND source IN ('client', 'session')`,
        ),
      ),
    );
    for (const connection of connections) await connection.release();
    expect(kept).toEqual([[], []]);
  });
});
