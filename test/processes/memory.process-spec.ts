import type { Client } from 'pg';
import { Databases } from '../support/databases';
import { connected } from '../support/database';
import { ADMIN_API_KEY } from '../support/environment';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const WORKSPACES = 400;
const HEAP_MB = 160;

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

  afterEach(async () => {
    await ServiceProcess.killAll();
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

    const start = (n: number) =>
      fetch(`${address}/api/v1/runtime/session/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ flow_slug: `copy-${n}` }),
      });
    for (let n = 1; n <= WORKSPACES; n += 4) {
      const responses = await Promise.all([n, n + 1, n + 2, n + 3].map(start));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    }
    expect(service.isRunning).toBe(true);
  });
});

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
