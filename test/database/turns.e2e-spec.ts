import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, Tenant } from '../support/service';

const STATS = '/api/v1/public/stats';

describe('Work that may take long', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  it('leaves connections for all others, however many statistics one key asks for, and is 503 when it waits too long', async () => {
    const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
    const reader = service.client.with(body.key);
    const other = await service.workspace();
    const flow = await other.publishedFlow();
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE session_steps');
      let answered = 0;
      const asked = Array.from({ length: 60 }, () => reader.get(STATS).finally(() => answered++));
      const theirs = other.client.get(STATS);
      const waiting = async () =>
        (await client.query('SELECT DISTINCT pid FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))'))
          .rows.length;
      while ((await waiting()) < 3);
      expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug })).status).toBe(201);
      expect((await acme.client.get('/api/v1/public/flows')).status).toBe(200);
      expect(answered).toBe(0);
      expect(await waiting()).toBe(3);
      for (const { status, headers } of await Promise.all([...asked, theirs])) {
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      }
      await client.query('COMMIT');
    });
    expect((await reader.get(STATS)).status).toBe(200);
  });

  it('leaves connections for all others, however many changes of one flow wait for each other', async () => {
    const other = await service.workspace();
    const { id } = await acme.flow();
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM flows WHERE id = $1 FOR UPDATE', [id]);
      const changes = Array.from({ length: 60 }, (_, n) =>
        acme.client.put(`/api/v1/public/flows/${id}`, { name: `Change ${n}` }),
      );
      await untilBlocking(client);
      expect((await other.client.get('/api/v1/public/flows')).status).toBe(200);
      await client.query('COMMIT');
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    });
  });

  it('ends in Postgres, too, when it is given up', async () => {
    await expect(service.database.query('SELECT pg_sleep(60)')).rejects.toThrow();
    await connected(workerDatabaseUrl(), async (client) => {
      const running = async () =>
        (await client.query(`SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'`))
          .rows.length;
      const deadline = Date.now() + 15_000;
      while ((await running()) > 0 && Date.now() < deadline);
      expect(await running()).toBe(0);
    });
  }, 30_000);
});
