import { connect } from 'node:net';
import { exchange, untilClosed } from '../../support/exchange';
import { serviceForAll, type Tenant } from '../../support/service';

const OFFERS = '/api/v1/public/offers';

describe('A body that the service need not read', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });
  const head = (path: string, key = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
    `Content-Length: 200000\r\n${key && `Authorization: Bearer ${key}\r\n`}\r\n`;

  it.each([
    ['no key', OFFERS, '', 401, 'unauthorized'],
    ['an invalid key', OFFERS, 'rf_live_guessed', 401, 'invalid_token'],
    ["a key that isn't the operator's", '/api/v1/admin/workspaces', 'guessed', 401, 'invalid_token'],
    ['a path without a route', '/api/v1/public/nothing', '', 404, 'not_found'],
    ['a path of the runtime interface without a route', '/api/v1/runtime/nothing', '', 404, 'not_found'],
  ])('is not waited for: %s', async (_, path, key, status, code) => {
    const response = await exchange(service, head(path, key));
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  it.each([
    ['POST', OFFERS, 401],
    ['POST', '/nothing', 404],
    ['GET', '/livez', 200],
  ])('is not read to its end: %s %s', async (method, path, status) => {
    const { port, hostname } = new URL(service.client.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let text = '';
    let sent = 0;
    socket.on('data', (data) => (text += String(data)));
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const send = () => {
      if (socket.writable && sent++ < 10_000) socket.write(chunk, () => setImmediate(send));
    };
    send();
    await closed;
    expect(sent).toBeLessThan(10_000);
    // A client that is still sending may lose the response.
    if (text) expect(text).toContain(`HTTP/1.1 ${status} `);
  });

  it('gets one response, even if the rest never comes', async () => {
    const request = head(OFFERS).replace('Connection: close\r\n', '').replace('200000', '100');
    const text = await untilClosed(service, request);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401']);
  });

  it('is not waited for: a revoked key', async () => {
    const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Spare' });
    await acme.client.delete(`/api/v1/public/api-keys/${body.id}`);
    const response = await exchange(service, head(OFFERS, body.key));
    expect([response.status, response.body.code]).toEqual([401, 'invalid_token']);
  });
});
