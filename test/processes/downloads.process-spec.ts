import { send } from '../faults/support/http';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(120_000);

const SESSIONS = 100_000;
const GROWTH_MB = 60;

/** As many sessions as there are numbers, each with attributes of 500 characters. */
const FILL = `
  INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id,
      customer, customer_verified, created_at, updated_at)
    SELECT workspace_id, (lpad(to_hex(n), 8, '0') || right(gen_random_uuid()::text, 28))::uuid, gen_random_uuid(), id, 1,
      'canceled', 'confirm', 'cus_' || n, jsonb_build_object('attributes', jsonb_build_object('note', repeat('x', 500))),
      false, now(), now()
    FROM flows, generate_series(1, $1::integer) AS n`;

describe('A download of the sessions', () => {
  const databases = new Databases();

  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it(`of ${SESSIONS} rows takes less than ${GROWTH_MB} MB, and is not cut by the deadline of requests`, async () => {
    const databaseUrl = await databases.create();
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl });
    const address = await service.address();
    const key = await createFlow(address);
    await connected(databaseUrl, (client) => client.query(FILL, [SESSIONS]));
    const before = await residentMb(address);
    const start = performance.now();

    const response = await fetch(`${address}/api/v1/public/sessions.csv`, {
      headers: { authorization: `Bearer ${key}` },
    });
    let lines = 0;
    let largest = before;
    for await (const part of response.body!) {
      lines += Buffer.from(part as Uint8Array).filter((byte) => byte === 10).length;
      largest = Math.max(largest, await residentMb(address));
    }
    console.log(lines, before, largest, performance.now() - start);
    expect(lines).toBe(1 + SESSIONS);
    expect(largest - before).toBeLessThan(GROWTH_MB);
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
