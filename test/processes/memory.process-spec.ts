import { connect } from 'node:net';
import type { Client } from 'pg';
import { createTenants } from '../faults/support/tenants';
import { Databases } from '../support/databases';
import { connected } from '../support/database';
import { ADMIN_API_KEY } from '../support/environment';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';

const WORKSPACES = 400;
const HEAP_MB = 160;
const EVENTS = 300;
const GROWTH_MB = 100;
const CONNECTIONS = 100;
const PIPELINED = 12;

/** 240 KB; a request body may have 256 KB. */
const DEFINITION = {
  entry: 'node_0',
  nodes: [
    ...Array.from({ length: 46 }, (_, n) => ({
      key: `node_${n}`,
      type: 'survey',
      config: { title: 'Why?', body: 'x'.repeat(5000), options: [{ value: 'other', label: 'Other' }] },
      next: `node_${n + 1}`,
    })),
    { key: 'node_46', type: 'confirm', config: { title: 'Sure?' } },
  ],
};
const LIST = '/api/v1/public/comments?limit=500';
/** Comments of 16 KB, the longest: 8 MB. */
const COMMENTS = `
  WITH session AS (
    INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key,
        customer_verified, created_at, updated_at)
      SELECT workspace_id, gen_random_uuid(), gen_random_uuid(), id, 1, 'canceled', 'confirm', false, now(), now()
      FROM flows, generate_series(1, 500) RETURNING workspace_id, id
  )
  INSERT INTO session_steps (workspace_id, flow_session_id, position, node_key, node_type, action, option, comment, created_at)
    SELECT workspace_id, id, 1, 'node_0', 'survey', 'answer', 'other', repeat('😀', 4000), now() FROM session`;
/** 200 KB. */
const ORIGINS = Array.from(
  { length: 100 },
  (_, n) => `https://${n}.${Array(28).fill('a'.repeat(60)).join('.')}.example`,
);

describe('The memory of a process', () => {
  const databases = new Databases();
  const receivers: Receiver[] = [];

  afterEach(async () => {
    await ServiceProcess.killAll();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
    await databases.dropAll();
  });

  it(`stays below ${HEAP_MB} MB of heap while ${WORKSPACES} workspaces start sessions on their largest possible flows`, async () => {
    const databaseUrl = await databases.create();
    const service = ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    });
    const address = await service.address();
    await publishLargestFlow(address);
    await connected(databaseUrl, copyForEachWorkspace);

    for (let n = 1; n <= WORKSPACES; n += 4) {
      await Promise.all([n, n + 1, n + 2, n + 3].map((copy) => start(address, `copy-${copy}`)));
    }
    expect(service.isRunning).toBe(true);
  });

  it(`grows by less than ${GROWTH_MB} MB while of two receivers one hangs, and one answers each of ${EVENTS} events without an end`, async () => {
    const databaseUrl = await databases.create();
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl, ...TO_LOOPBACK });
    const address = await service.address();
    receivers.push(await Receiver.start(() => 'hang'), await Receiver.start(() => 'endless'));
    const ofReceivers = receivers.map(({ url }) => createTenants(address, [EVENTS], url));
    const tenants = (await Promise.all(ofReceivers)).flat();
    const before = await residentMb(address);

    for (let started = 0; started < EVENTS; started += 10) {
      const starts = Array.from({ length: 10 }, () => tenants.map(({ slug }) => start(address, slug)));
      await Promise.all(starts.flat());
    }
    // What is read of an answer without an end is a delivery.
    const delivered = `SELECT FROM deliveries WHERE status = 'delivered'`;
    await connected(databaseUrl, async (client) => {
      while ((await client.query(delivered)).rows.length < EVENTS);
    });
    expect((await residentMb(address)) - before).toBeLessThan(GROWTH_MB);
  });

  it(`stays below ${HEAP_MB} MB of heap while a reader leaves ${PIPELINED} lists unread on each of ${CONNECTIONS} connections; it is refused with 429 until it reads`, async () => {
    const databaseUrl = await databases.create();
    const service = ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    });
    const address = await service.address();
    const key = await publishLargestFlow(address);
    await connected(databaseUrl, (client) => client.query(COMMENTS));
    const request = `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const { hostname, port } = new URL(address);
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => {});
      socket.write(request.repeat(PIPELINED));
      return socket;
    });
    const statuses = new Set<number>();
    const ask = async () => {
      const response = await fetch(address + LIST, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      return response.status;
    };
    while (!statuses.has(429)) statuses.add(await ask());
    for (let n = 0; n < 50; n++) await ask();
    expect(service.isRunning).toBe(true);
    for (const socket of sockets) socket.resume();
    while ((await ask()) !== 200);
    for (const socket of sockets) socket.destroy();
  });
});

async function start(address: string, slug: string): Promise<void> {
  const response = await fetch(`${address}/api/v1/runtime/session/init`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ flow_slug: slug }),
  });
  expect(response.status).toBe(201);
}

async function residentMb(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)![1]) / 2 ** 20;
}

/** Resolves with the key of its workspace. */
async function publishLargestFlow(address: string): Promise<string> {
  const send = async (method: string, path: string, key: string, body: object) => {
    const response = await fetch(address + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as { id: string; api_key: { key: string } };
  };
  const workspace = { name: 'Acme', allowed_origins: ORIGINS };
  const { key } = (await send('POST', '/api/v1/admin/workspaces', ADMIN_API_KEY, workspace)).api_key;
  const flow = {
    name: 'Leaving',
    product_name: 'Acme',
    cancellation_url: 'https://acme.example/cancel',
    flow_mode: 'advanced',
    definition: DEFINITION,
  };
  const { id } = await send('POST', '/api/v1/public/flows', key, flow);
  await send('PUT', `/api/v1/public/flows/${id}`, key, { status: 'published' });
  return key;
}

/** Copies the workspace with its flow. The slugs are copy-1, copy-2 and so on. */
async function copyForEachWorkspace(client: Client): Promise<void> {
  const copy = (table: string, ids: string) =>
    client.query(`INSERT INTO ${table} SELECT copied.* FROM copies, ${table} original,
      jsonb_populate_record(original, jsonb_build_object(${ids})) copied`);
  await client.query('BEGIN');
  await client.query(`CREATE TEMPORARY TABLE copies ON COMMIT DROP AS
    SELECT gen_random_uuid() AS workspace, gen_random_uuid() AS flow, 'copy-' || n AS slug
    FROM generate_series(1, ${WORKSPACES}) n`);
  await copy('workspaces', `'id', workspace`);
  await copy('workspace_codes', `'workspace_id', workspace, 'code', left(workspace::text, 8)`);
  await copy('flows', `'workspace_id', workspace, 'id', flow, 'slug', copies.slug`);
  await copy('flow_versions', `'workspace_id', workspace, 'flow_id', flow`);
  await copy('flow_slugs', `'workspace_id', workspace, 'flow_id', flow, 'slug', copies.slug`);
  await client.query('COMMIT');
}
