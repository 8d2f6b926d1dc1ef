import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../faults/support/http';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { ServiceProcess } from '../support/service-process';

const SESSIONS = 50_000;
/** Less than the file has. Memory that is not collected yet counts too. */
const GROWTH_MB = 250;
const HEAP_MB = 160;
/** Longer than a request may take. */
const UNREAD_MS = 10_000;

const DOWNLOADS = 10;
/** New connections at a time. */
const ARRIVALS = 100;
/** How much the downloads may bring before a request that came meanwhile is answered. */
const BOUND_MB = 100;

/** As many sessions as there are numbers, each with attributes of 6,000 characters. */
const FILL = `
  INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id,
      customer, customer_verified, created_at, updated_at)
    SELECT workspace_id, (lpad(to_hex(n), 8, '0') || right(gen_random_uuid()::text, 28))::uuid, gen_random_uuid(), id, 1,
      'canceled', 'confirm', 'cus_' || n, jsonb_build_object('attributes', jsonb_build_object('note', repeat('x', 6000))),
      false, now(), now()
    FROM flows, generate_series(1, $1::integer) AS n`;

describe('A download of the sessions', () => {
  const databases = new Databases();

  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it(`of 300 MB grows the process by less than ${GROWTH_MB} MB, and goes on after nobody read for ${UNREAD_MS} ms`, async () => {
    const databaseUrl = await databases.create();
    const service = ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    });
    const address = await service.address();
    const key = await createFlow(address);
    await connected(databaseUrl, (client) => client.query(FILL, [SESSIONS]));
    const before = await residentMb(address);

    const response = await fetch(`${address}/api/v1/public/sessions.csv`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const start = performance.now();
    let largest = before;
    const measure = async () => (largest = Math.max(largest, await residentMb(address)));
    // Metrics are read 600 times a minute at most.
    for (; performance.now() - start < UNREAD_MS; await pause(200)) await measure();
    let lines = 0;
    let parts = 0;
    for await (const part of response.body!) {
      lines += Buffer.from(part as Uint8Array).filter((byte) => byte === 10).length;
      if (++parts % 100 === 0) await measure();
    }
    expect(lines).toBe(1 + SESSIONS);
    expect(largest - before).toBeLessThan(GROWTH_MB);
  });

  it(`leaves room for others: with ${DOWNLOADS} under way, /livez answers ${ARRIVALS} new connections at a time before they have brought ${BOUND_MB} MB`, async () => {
    const databaseUrl = await databases.create();
    const address = await ServiceProcess.start({ DATABASE_URL: databaseUrl }).address();
    const keys = await Promise.all(Array.from({ length: DOWNLOADS / 2 }, () => createFlow(address)));
    await connected(databaseUrl, (client) => client.query(FILL, [SESSIONS / DOWNLOADS]));
    const over = new AbortController();
    const received = { bytes: 0 };
    const downloads = [...keys, ...keys].map(async (key) => {
      while (!over.signal.aborted) {
        const headers = { authorization: `Bearer ${key}` };
        const response = await fetch(`${address}/api/v1/public/sessions.csv`, { headers, signal: over.signal });
        for await (const part of response.body!) received.bytes += (part as Uint8Array).length;
      }
    });
    let most = 0;
    const arrive = async () => {
      for (let n = 0; n < 10; n++) {
        const before = received.bytes;
        expect((await send(new Agent(), 'GET', `${address}/livez`)).status).toBe(200);
        most = Math.max(most, received.bytes - before);
      }
    };
    while (received.bytes === 0) await arrive();
    most = 0;
    await Promise.all(Array.from({ length: ARRIVALS }, arrive));
    over.abort();
    await Promise.allSettled(downloads);
    expect(most / 2 ** 20).toBeLessThan(BOUND_MB);
  });
});

/** Resolves with the key of its workspace. */
async function createFlow(address: string): Promise<string> {
  const post = async (path: string, key: string, body: object) => {
    const answer = await send(undefined, 'POST', address + path, body, { authorization: `Bearer ${key}` });
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body;
  };
  const { api_key } = await post('/api/v1/admin/workspaces', ADMIN_API_KEY, { name: 'Acme' });
  const flow = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
  await post('/api/v1/public/flows', api_key.key, flow);
  return api_key.key;
}

async function residentMb(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)![1]) / 2 ** 20;
}
