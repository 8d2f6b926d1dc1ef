import { connect } from 'node:net';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const CONNECTIONS = 300;
/** How much Node reads at once. */
const READ_BYTES = 64 * 1024;

describe('Thousands of pipelined requests on each of 300 connections', () => {
  const databases = databasesForAll();
  let service: ServiceProcess;
  let address: URL;

  beforeAll(async () => {
    const env = { DATABASE_URL: await databases.create(), NODE_OPTIONS: '--max-old-space-size=256' };
    service = ServiceProcess.start(env);
    address = new URL(await service.address());
  });
  it.each(['/nothing', '/livez', '/%zz', '*', 'http://x/api/v1/public/flows'])(
    'lose their connection, and the service continues: %s',
    async (target) => {
      const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const burst = request.repeat(Math.ceil(READ_BYTES / request.length));
      const closed = Array.from({ length: CONNECTIONS }, () => {
        const socket = connect(Number(address.port), address.hostname);
        socket.write(burst);
        socket.on('error', () => {});
        return new Promise((resolve) => socket.resume().on('close', resolve));
      });
      await Promise.all(closed);
      expect((await fetch(new URL('/livez', address))).status).toBe(200);
      expect(service.isRunning).toBe(true);
    },
  );
});
