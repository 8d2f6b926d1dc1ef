import { ADMIN_API_KEY } from '../support/environment';
import { freePort } from '../support/free-port';
import { databasesForAll, ServiceProcess } from '../support/service-process';
import { Proxy } from './support/proxies';

const SESSION = '/api/v1/runtime/session';
const CLIENTS = 16;

describe.each(['nginx', 'caddy'] as const)('Two processes behind %s', (name) => {
  const databases = databasesForAll();
  const services = new Map<number, ServiceProcess>();
  let databaseUrl: string;
  let proxy: Proxy;
  let start: { flow_slug: string };

  beforeAll(async () => {
    databaseUrl = await databases.create();
    const addresses = [await run(await freePort()), await run(await freePort())];
    start = { flow_slug: await publishedFlow(addresses[0]) };
    proxy = await Proxy[name](addresses.map((address) => new URL(address).host));
  });
  afterAll(() => proxy?.stop());

  it('are restarted one after the other, twice, and no request is lost', async () => {
    let isOver = false;
    const answers: Record<string, number> = {};
    const clients = Array.from({ length: CLIENTS }, () => visit(answers, () => isOver));
    for (const port of [...services.keys(), ...services.keys()]) {
      services.get(port)!.signal('SIGTERM');
      expect(await services.get(port)!.exited).toBe(0);
      await run(port);
    }
    isOver = true;
    await Promise.all(clients);
    expect(Object.keys(answers)).toEqual(['200', '201']);
    expect(answers[201]).toBeGreaterThan(100);
  });

  /** Starts a process, and resolves with its address when it is ready. */
  async function run(port: number): Promise<string> {
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl, PORT: String(port), TRUST_PROXY: '127.0.0.1' });
    services.set(port, service);
    return service.address();
  }

  /** Starts sessions and cancels them, one after the other, and counts the answers by status. */
  async function visit(answers: Record<string, number>, isOver: () => boolean): Promise<void> {
    const agent = proxy.keepAlive();
    const post = async (path: string, body: object) => {
      const { status, text } = await proxy
        .send('POST', SESSION + path, { agent, body: JSON.stringify(body) })
        .catch((error: Error) => ({ status: error.message, text: '' }));
      const answer = Number(status) < 300 ? status : `${status} ${text}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
      return { status, text };
    };
    while (!isOver()) {
      const { status, text } = await post('/init', start);
      if (status === 201) await post(`/${JSON.parse(text).session_id}/step`, { action: 'cancel' });
    }
    agent.destroy();
  }

  async function publishedFlow(address: string): Promise<string> {
    const send = async (method: string, path: string, key: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
      return response.json();
    };
    const workspace = { name: 'Acme', session_limit: 1_000_000 };
    const { api_key } = await send('POST', 'admin/workspaces', ADMIN_API_KEY, workspace);
    const fields = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const { id, slug } = await send('POST', 'public/flows', api_key.key, fields);
    await send('PUT', `public/flows/${id}`, api_key.key, { status: 'published' });
    return slug;
  }
});
