import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { NO_WORKSPACE } from '../../../src/tenancy/work/tenant';
import { ManagementLimits } from '../../../src/platform/database/queue/management-limits.service';
import { createDocument } from '../../../src/app/openapi/document';
import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { until } from '../../support/until';

const STATS = '/api/v1/public/stats';

describe('The management interface', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

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
      while ((await waiting()) < 2);
      expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug })).status).toBe(201);
      expect((await acme.client.get('/api/v1/public/flows')).status).toBe(200);
      expect(answered).toBe(0);
      expect(await waiting()).toBe(2);
      for (const { status, headers } of await Promise.all([...asked, theirs])) {
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      }
      await client.query('COMMIT');
    });
    expect((await reader.get(STATS)).status).toBe(200);
  });

  it.each([
    ['of a short page', '/api/v1/public/webhooks', 4],
    ['of a short page that leaves with others', '/api/v1/public/offers', 2],
    ['of a long page', '/api/v1/public/offers?limit=101', 2],
    ['of declarations', '/api/v1/public/declarations', 2],
    ['of attributes', '/api/v1/public/workspace/attributes', 2],
    ['of pictures', '/api/v1/public/images', 2],
  ])('leaves connections for all others, however many reads %s one key asks for', async (_, path, atOnce) => {
    const other = await service.workspace();
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE offers, webhooks, declarations, flow_sessions, images');
      const asked = Array.from({ length: 40 }, () => acme.client.get(path));
      const waiting = async () =>
        (await client.query('SELECT DISTINCT pid FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))'))
          .rows.length;
      while ((await waiting()) < atOnce);
      expect((await other.client.get('/api/v1/public/flows')).status).toBe(200);
      expect(await waiting()).toBe(atOnce);
      await client.query('COMMIT');
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    });
  });

  it('leaves connections for all others, however many changes of one flow wait for each other', async () => {
    const other = await service.workspace();
    const { id } = await acme.flow();
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM flows WHERE id = $1 FOR UPDATE', [id]);
      const changes = Array.from({ length: 12 }, (_, n) =>
        acme.client.put(`/api/v1/public/flows/${id}`, { name: `Change ${n}` }),
      );
      await untilBlocking(client);
      expect((await other.client.get('/api/v1/public/flows')).status).toBe(200);
      await client.query('COMMIT');
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    });
  });

  it('has a limit for each workspace on every route that changes something, before it asks the database for anything but the key', async () => {
    const routes = Object.entries(createDocument(service.app).paths)
      .filter(([path]) => /^\/api\/v1\/(public|admin)\//.test(path))
      .flatMap(([path, operations]) =>
        Object.entries(operations as Record<string, { requestBody?: object }>).map(([method, { requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          hasBody: requestBody !== undefined,
        })),
      )
      // Passwords have a limit of their own, before anything is written.
      .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/me/password'));
    // The time of its first use is limited, too.
    await acme.client.get('/api/v1/public/workspace');
    const person = await service.person(acme);
    const limits = service.app.get(ManagementLimits);
    let release!: () => void;
    const over = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const hold = () => (begun++, over);
    let givenUp = 0;
    const giveUp = () => void givenUp++;
    const held = [acme.id, NO_WORKSPACE].flatMap((id) =>
      Array.from({ length: 10 }, () =>
        [limits.long, limits.short].map((limit) => limit.run(id, hold).catch(giveUp)),
      ).flat(),
    );
    const answered: string[] = [];
    const answers = routes.map(async ({ method, path, hasBody }) => {
      const ofWorkspace = /\/(people|invitations|me)\b/.test(path) ? person : acme.client;
      const client = path.startsWith('/api/v1/admin/') ? service.operator : ofWorkspace;
      const url = path.replace('{version}', '1').replaceAll(/\{\w+\}/g, () => randomUUID());
      // A body that is checked ahead of the limit has to be a good one.
      const body = path.endsWith('/recover')
        ? { since: '2020-01-01T00:00:00Z' }
        : path.endsWith('/invitations')
          ? { email: 'grace@acme.example', role: 'editor' }
          : {};
      const { status } = await (hasBody ? client.sendJson(method, url, body) : client.send(method, url));
      answered.push(`${method} ${path}: ${status}`);
    });
    const waiting = () => limits.long.queueLength + limits.short.queueLength - (held.length - begun - givenUp);
    while (waiting() + answered.length < routes.length) await setImmediate();
    // On a slow machine, some have waited for as long as they may.
    expect(answered.filter((answer) => !answer.endsWith(': 503'))).toEqual([]);
    release();
    await Promise.all([...held, ...answers]);
    expect(answered).toHaveLength(routes.length);
  });

  it('ends a statement in Postgres, too, when it is given up', async () => {
    await expect(service.database.query('SELECT pg_sleep(60)')).rejects.toThrow();
    await connected(workerDatabaseUrl(), async (client) => {
      const running = async () =>
        (await client.query(`SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'`))
          .rows.length;
      await until(running, (count) => count === 0);
    });
  });
});
