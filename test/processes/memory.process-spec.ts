import type { Client } from 'pg';
import { createTenants } from '../faults/support/tenants';
import { Databases } from '../support/databases';
import { connected } from '../support/database';
import { ADMIN_API_KEY } from '../support/environment';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const WORKSPACES = 400;
const HEAP_MB = 160;
const EVENTS = 300;
const GROWTH_MB = 100;

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

async function publishLargestFlow(address: string): Promise<void> {
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
