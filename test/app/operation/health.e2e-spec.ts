import type { Answer } from '../../support/client';
import { connected, workerDatabaseUrl } from '../../support/database';
import { TcpProxy } from '../../support/tcp-proxy';
import { Service, serviceForAll, workspaceForEach } from '../../support/service';
import { until } from '../../support/until';

const INIT = '/api/v1/runtime/session/init';

describe('Health', () => {
  const service = serviceForAll(() => Service.start({ DATABASE_POOL_SIZE: '7' }));
  const acme = workspaceForEach(service, { session_limit: 2 });
  let flow_slug: string;

  beforeEach(async () => {
    flow_slug = (await acme.publishedFlow()).slug;
  });

  describe('GET /livez', () => {
    it('is 200 while the process lives', async () => {
      const { status, body } = await service.client.get('/livez');
      expect([status, body]).toEqual([200, { status: 'alive' }]);
    });
  });

  describe('GET /readyz', () => {
    it('is 200 when the service can take requests', async () => {
      const { status, body } = await service.client.get('/readyz');
      expect([status, body]).toEqual([200, { status: 'ready' }]);
    });

    it('is 200 while every connection of the pool is in use', async () => {
      const runners = Array.from({ length: 7 }, () => service.database.createQueryRunner());
      for (const runner of runners) await runner.connect();
      await runners[0].release();
      const another = service.database.createQueryRunner();
      await another.connect();
      expect((await service.client.get('/metrics')).body).toContain('\nretention_database_pool_idle 0\n');
      const { status } = await service.client.get('/readyz');
      for (const runner of [...runners, another]) await runner.release();
      expect(status).toBe(200);
    });

    it('is 200 while every connection of a full pool stays in use', async () => {
      const full = await Service.start({ DATABASE_POOL_SIZE: '2' });
      const runners = [1, 2].map(() => full.database.createQueryRunner());
      for (const runner of runners) await runner.connect();
      const { status } = await full.client.get('/readyz');
      for (const runner of runners) await runner.release();
      await full.stop();
      expect(status).toBe(200);
    });

    it('is 200 while writes to one workspace fail', async () => {
      await connected(workerDatabaseUrl(), async (holder) => {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [acme.id]);
        const starts = await Promise.all([1, 2, 3].map(() => service.client.post(INIT, { flow_slug })));
        const ready = await service.client.get('/readyz');
        await holder.query('ROLLBACK');
        expect([...starts, ready].map(({ status }) => status)).toEqual([503, 503, 503, 200]);
      });
    });

    describe('without a database', () => {
      let proxy: TcpProxy;
      let cutOff: Service;

      beforeEach(async () => {
        proxy = await TcpProxy.start(workerDatabaseUrl());
        cutOff = await Service.start({ DATABASE_URL: proxy.url });
        expect((await cutOff.client.get('/readyz')).status).toBe(200);
      });
      afterEach(async () => {
        proxy.close();
        await cutOff.stop();
      });

      it.each([
        ['is gone', () => proxy.close()],
        ['hangs', () => proxy.freeze()],
      ])('is 503 with the reason when it %s, and /livez stays 200', async (_, breakOff) => {
        breakOff();
        const { body } = await untilReady(503);
        expect(body).toMatchObject({ code: 'not_ready', detail: 'The database does not answer.' });
        expect((await cutOff.client.get('/livez')).status).toBe(200);
        expect((await cutOff.client.get('/metrics')).body).toContain('\nretention_database_up 0\n');
      });

      it('is 200 again as soon as it is back', async () => {
        proxy.close();
        await untilReady(503);
        await proxy.open();
        await untilReady(200);
      });

      const untilReady = (expected: number): Promise<Answer> =>
        until(
          () => cutOff.client.get('/readyz'),
          ({ status }) => status === expected,
        );
    });
  });
});
