import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../support/client';
import { connected, workerDatabaseUrl } from '../support/database';
import { Door } from '../support/door';
import { Service, Tenant } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const DOCS = 'docs';

describe('Operation', () => {
  let service: Service;
  let acme: Tenant;
  let flow_slug: string;

  beforeAll(async () => {
    service = await Service.start({ DATABASE_POOL_SIZE: '7' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace({ session_limit: 2 });
    flow_slug = (await acme.publishedFlow()).slug;
  });

  /** The value of a sample, or 0 where there is none yet. */
  const sample = async (name: string): Promise<number> => {
    const lines = (await metrics()).split('\n');
    return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length) ?? 0);
  };
  const metrics = async () => (await service.client.get('/metrics')).body as string;

  /** By how much a sample grows while `work` is done. */
  async function growth(name: string, work: () => Promise<unknown>): Promise<number> {
    const before = await sample(name);
    await work();
    return (await sample(name)) - before;
  }

  describe('GET /livez', () => {
    it('says that the process lives', async () => {
      const { status, body } = await service.client.get('/livez');
      expect([status, body]).toEqual([200, { status: 'alive' }]);
    });
  });

  describe('GET /readyz', () => {
    it('says that requests may come', async () => {
      const { status, body } = await service.client.get('/readyz');
      expect([status, body]).toEqual([200, { status: 'ready' }]);
    });

    it('says so too while every connection of the pool is at work', async () => {
      const runners = Array.from({ length: 7 }, () => service.database.createQueryRunner());
      for (const runner of runners) await runner.connect();
      await runners[0].release();
      const another = service.database.createQueryRunner();
      await another.connect();
      expect(await sample('retention_database_pool_idle')).toBe(0);
      const { status } = await service.client.get('/readyz');
      for (const runner of [...runners, another]) await runner.release();
      expect(status).toBe(200);
    });

    it('says so of a full pool whose work takes long', async () => {
      const full = await Service.start({ DATABASE_POOL_SIZE: '2' });
      const runners = [1, 2].map(() => full.database.createQueryRunner());
      for (const runner of runners) await runner.connect();
      const { status } = await full.client.get('/readyz');
      for (const runner of runners) await runner.release();
      await full.stop();
      expect(status).toBe(200);
    });

    it('says so too while writes to one workspace fail', async () => {
      await connected(workerDatabaseUrl(), async (holder) => {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [acme.id]);
        const starts = await Promise.all([1, 2, 3].map(() => service.client.post(INIT, { flow_slug })));
        const ready = await service.client.get('/readyz');
        await holder.query('ROLLBACK');
        expect([...starts, ready].map(({ status }) => status)).toEqual([503, 503, 503, 200]);
      });
    });

    describe('without the database', () => {
      let door: Door;
      let cutOff: Service;

      beforeEach(async () => {
        door = await Door.to(workerDatabaseUrl());
        await door.open();
        cutOff = await Service.start({ DATABASE_URL: door.url });
        expect((await cutOff.client.get('/readyz')).status).toBe(200);
      });
      afterEach(async () => {
        door.shut();
        await cutOff.stop();
      });

      it.each([
        ['is gone', () => door.shut()],
        ['hangs', () => door.holdUp()],
      ])('is 503 with the reason when it %s, and the process still lives', async (_, takeAway) => {
        takeAway();
        const { body } = await until(503);
        expect(body).toMatchObject({ code: 'not_ready', detail: 'The database does not answer.' });
        expect((await cutOff.client.get('/livez')).status).toBe(200);
        expect((await cutOff.client.get('/metrics')).body).toContain('\nretention_database_up 0\n');
      });

      it('says that requests may come again once it is back', async () => {
        door.shut();
        await until(503);
        await door.open();
        await until(200);
      });

      async function until(status: number): Promise<Answer> {
        for (;;) {
          const answer = await cutOff.client.get('/readyz');
          if (answer.status === status) return answer;
        }
      }
    });
  });

  describe('GET /metrics', () => {
    it('is in the text format of Prometheus', async () => {
      const { status, headers, body } = await service.client.get('/metrics');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
      const lines = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('# '));
      expect(lines.filter((line) => !/^[a-z_]\w*(\{(\w+="[^"]*",?)+\})? [-+\w.]+$/.test(line))).toEqual([]);
    });

    it('counts requests by route and status', async () => {
      const created = 'retention_http_requests_total{method="POST",route="/api/v1/public/offers",status="201"}';
      const invalid = 'retention_http_requests_total{method="POST",route="/api/v1/public/offers",status="400"}';
      expect(await growth(created, () => acme.offer())).toBe(1);
      expect(await growth(invalid, () => acme.client.post('/api/v1/public/offers', {}))).toBe(1);
    });

    it('has no label that grows with what a stranger sends', async () => {
      const series = async () => (await metrics()).split('\n').filter((line) => line.startsWith('retention_')).length;
      const send = async (junk: string) => {
        await service.client.get(`/${junk}`);
        await service.client.send('PURGE', `/api/v1/public/${junk}`);
        await service.client.get(`/api/v1/public/flows/${junk}?${junk}=1`);
        await service.client.get(`/api/v1/runtime/session/${junk}`);
        await service.client.post(INIT, { flow_slug: junk }, { origin: `https://${junk}.example`, 'x-junk': junk });
        await service.client.post(INIT, { [junk]: junk });
      };
      await send('junk');
      await metrics();
      const before = await series();
      for (const junk of ['more_junk', 'other_junk', 'junk'.repeat(20)]) await send(junk);
      expect(await series()).toBe(before);
      expect(await metrics()).not.toContain('junk');
    });

    it.each([
      ['started', 201, () => service.client.post(INIT, { flow_slug })],
      ['flow_not_found', 404, () => service.client.post(INIT, { flow_slug: 'nothing' })],
      ['flow_not_published', 404, async () => service.client.post(INIT, { flow_slug: (await acme.flow()).slug })],
      [
        'origin_not_allowed',
        403,
        async () => {
          await acme.client.put('/api/v1/public/workspace', { allowed_origins: ['https://acme.example'] });
          return service.client.post(INIT, { flow_slug }, { origin: 'https://other.example' });
        },
      ],
    ])('counts starts of sessions by what came of them: %s', async (result, status, start) => {
      const name = `retention_session_starts_total{result="${result}"}`;
      expect(await growth(name, async () => expect((await start()).status).toBe(status))).toBe(1);
    });

    it('tells starts that repeat another, and those whose key came with another request', async () => {
      const start = (id: string) =>
        service.client.post(INIT, { flow_slug, customer: { id } }, { 'idempotency-key': `key-${flow_slug}` });
      await start('one');
      const repeated = 'retention_session_starts_total{result="repeated"}';
      const reused = 'retention_session_starts_total{result="idempotency_key_reused"}';
      expect(await growth(repeated, () => start('one'))).toBe(1);
      expect(await growth(reused, () => start('two'))).toBe(1);
    });

    it('tells that a workspace is at its limit', async () => {
      const name = 'retention_session_starts_total{result="session_limit_reached"}';
      const start = () => service.client.post(INIT, { flow_slug });
      expect(await growth(name, () => Promise.all([start(), start()]))).toBe(0);
      expect(await growth(name, start)).toBe(1);
    });

    it('tells how many starts were committed together, and that none waits', async () => {
      const starts = () => Promise.all([1, 2].map(() => service.client.post(INIT, { flow_slug })));
      expect(await growth('retention_session_start_batch_size_sum', starts)).toBe(2);
      expect(await sample('retention_session_start_queue_length')).toBe(0);
    });

    it('tells the use of the pool, and work that waits for a connection', async () => {
      expect(await sample('retention_database_pool_size')).toBe(7);
      const runners = Array.from({ length: 7 }, () => service.database.createQueryRunner());
      for (const runner of runners) await runner.connect();
      const waiting = service.database.query('SELECT 1');
      const text = await metrics();
      for (const runner of runners) await runner.release();
      await waiting;
      expect(text).toContain('\nretention_database_pool_used 7\n');
      expect(text).toContain('\nretention_database_pool_idle 0\n');
      expect(text).toContain('\nretention_database_pool_waiting 1\n');
    });

    it('tells how long the database takes', async () => {
      const slow = () => service.database.query('SELECT pg_sleep(0.05)');
      const before = await sample('retention_database_use_seconds_bucket{le="0.05"}');
      expect(await growth('retention_database_use_seconds_count', slow)).toBe(1);
      expect(await sample('retention_database_use_seconds_bucket{le="0.05"}')).toBe(before);
      expect(await sample('retention_database_up')).toBe(1);
    });

    it('tells of the event loop and the process', async () => {
      expect(await sample('process_resident_memory_bytes')).toBeGreaterThan(0);
      expect(await metrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
    });

    it('has nothing of its own that the documentation does not explain', async () => {
      const files = readdirSync(DOCS).filter((name) => name.startsWith('operations'));
      const docs = files.map((name) => readFileSync(join(DOCS, name), 'utf8')).join('\n');
      const names = [...(await metrics()).matchAll(/^# TYPE (retention_\w+)/gm)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(8);
      expect(names.filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
    });
  });
});
