import { once } from 'node:events';
import { connect } from 'node:net';
import { closedLoop } from './closed-loop';
import { Databases } from '../support/databases';
import { connected, untilBlocking } from '../support/database';
import { ADMIN_API_KEY } from '../support/environment';
import { freePort } from '../support/free-port';
import { ServiceProcess } from '../support/service-process';

const CLIENTS = 64;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('Stopping', () => {
  const databases = new Databases();
  let databaseUrl: string;
  let service: ServiceProcess;
  let address: string;
  let start: { flow_slug: string };

  beforeEach(async () => {
    databaseUrl = await databases.create();
    service = ServiceProcess.start({ DATABASE_URL: databaseUrl });
    address = await service.address();
    start = { flow_slug: await publishedFlow() };
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it('cuts no request under load: each one gets its response, and each session in a response is stored', async () => {
    let responses = 0;
    let underLoad!: () => void;
    const loaded = new Promise<void>((resolve) => (underLoad = resolve));
    const clients = closedLoop(CLIENTS, `${address}/api/v1/runtime/session/init`, start, () => {
      if (++responses === 10 * CLIENTS) underLoad();
    });
    await loaded;
    service.signal('SIGTERM');

    const { answered, cut, refused } = await clients;
    expect(cut).toEqual({});
    expect(refused).toBe(CLIENTS);
    expect(Object.keys(answered)).toEqual(['201']);
    expect(await service.ended).toBe(0);
    expect(await sessions()).toBe(answered[201]);
  });

  it('makes /readyz 503 at once, and still serves requests, each with connection: close', async () => {
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    service.signal('SIGTERM');
    await service.untilPrinted(/Stopping: SIGTERM/);

    const ready = await fetch(`${address}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ code: 'not_ready', detail: 'This process is stopping.' });
    const alive = await fetch(`${address}/livez`);
    expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
    const session = await init();
    expect([session.status, session.headers.get('connection')]).toEqual([201, 'close']);
    expect(await service.ended).toBe(0);
  });

  it('waits for requests in flight', async () => {
    await connected(databaseUrl, async (client) => {
      await client.query('BEGIN; SELECT FROM workspaces FOR UPDATE');
      const response = init();
      await untilBlocking(client);
      service.signal('SIGTERM');
      await service.untilPrinted(/Stopping: SIGTERM/);
      await client.query('COMMIT');
      expect([(await response).status, (await response).headers.get('connection')]).toEqual([201, 'close']);
    });
    expect(await service.ended).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'after %s ends even while the database hangs and a client never sends its request',
    async (signal) => {
      await connected(databaseUrl, async (client) => {
        await client.query('BEGIN; LOCK TABLE workspaces');
        const silent = connect(Number(new URL(address).port), '127.0.0.1');
        silent.on('error', () => {});
        await once(silent, 'connect');
        const response = init().catch(() => undefined);
        await untilBlocking(client);
        service.signal(signal);
        expect(await service.ended).toBe(0);
        await response;
      });
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'before it is ready ends at once with %s, and takes back a migration',
    async (signal) => {
      const url = await databases.create();
      await connected(url, async (client) => {
        // Whoever migrates waits for this.
        await client.query('BEGIN; CREATE TABLE workspaces ()');
        const early = ServiceProcess.start({ DATABASE_URL: url });
        await untilBlocking(client);
        early.signal(signal);
        expect(await early.ended).toBe(0);
        expect(early.stdout).toContain(`Stopping: ${signal}`);
      });
      await ServiceProcess.start({ DATABASE_URL: url }).address();
    },
  );

  it('while it waits for the database ends at once', async () => {
    const early = ServiceProcess.start({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    await early.untilPrinted(/database/i);
    early.signal('SIGTERM');
    expect(await early.ended).toBe(0);
    expect(early.stdout).toContain('Stopping: SIGTERM');
  });

  it('ignores further signals', async () => {
    service.signal('SIGINT');
    await service.untilPrinted(/Stopping: SIGINT/);
    service.signal('SIGINT');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  const init = () =>
    fetch(`${address}/api/v1/runtime/session/init`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(start),
    });

  async function publishedFlow(): Promise<string> {
    const send = async (method: string, path: string, key: string, body: object) => {
      const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` };
      const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: string; slug: string; api_key: { key: string } };
    };
    const workspace = { name: 'Acme', session_limit: 1_000_000 };
    const { api_key } = await send('POST', '/api/v1/admin/workspaces', ADMIN_API_KEY, workspace);
    const fields = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const flow = await send('POST', '/api/v1/public/flows', api_key.key, fields);
    await send('PUT', `/api/v1/public/flows/${flow.id}`, api_key.key, { status: 'published' });
    return flow.slug;
  }

  async function sessions(): Promise<number> {
    return connected(databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM flow_sessions');
      return rows[0].count;
    });
  }
});
