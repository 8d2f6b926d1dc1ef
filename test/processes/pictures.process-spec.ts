import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createTenants } from '../faults/support/tenants';
import { pngOf } from '../support/pictures';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const GROWTH_MB = 128;
const PICTURES = 60;
const ADDRESSES = 40;
const CONNECTIONS = 20;
const PIPELINED = 12;
/** Pictures of 200 kB: 1.9 GB in all. */
const BYTES = 199_900;

describe('The pictures of a process', () => {
  const databases = databasesForAll();
  afterEach(() => ServiceProcess.killAll());

  it(`take less than ${GROWTH_MB} MB while ${ADDRESSES} addresses read none of the ${PIPELINED} that they ask for on each of ${CONNECTIONS} connections, and sessions start`, async () => {
    const service = ServiceProcess.start({
      DATABASE_URL: await databases.create(),
      TRUST_PROXY: '127.0.0.1',
      MANAGEMENT_REQUESTS_PER_MINUTE: '0',
      RUNTIME_REQUESTS_PER_MINUTE: '0',
    });
    const address = await service.address();
    const tenants = await createTenants(address, [1000, 1000]);
    const urls: string[] = [];
    for (let n = 0; n < PICTURES; n++) {
      const { key } = tenants[n % 2];
      const response = await fetch(`${address}/api/v1/public/images`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
        body: new Uint8Array(pngOf(1, 1, randomBytes(BYTES))),
      });
      expect(response.status).toBe(201);
      urls.push(((await response.json()) as { url: string }).url);
    }
    const start = async () => {
      const response = await fetch(`${address}/api/v1/runtime/session/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ flow_slug: tenants[0].slug }),
      });
      return response.status;
    };
    expect(await start()).toBe(201);
    const before = await residentMb(address);
    const { hostname, port } = new URL(address);
    const sockets = Array.from({ length: ADDRESSES * CONNECTIONS }, (_, n) => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => {});
      const from = `X-Forwarded-For: 203.0.113.${n % ADDRESSES}`;
      for (let k = 0; k < PIPELINED; k++) {
        socket.write(`GET ${urls[(n + k * 7) % PICTURES]} HTTP/1.1\r\nHost: x\r\n${from}\r\n\r\n`);
      }
      return socket;
    });
    for (let n = 0; n < 200; n++) expect(await start()).toBe(201);
    expect((await residentMb(address)) - before).toBeLessThan(GROWTH_MB);
    for (const socket of sockets) socket.destroy();
  });
});

async function residentMb(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)![1]) / 2 ** 20;
}
