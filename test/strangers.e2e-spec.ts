import { connect } from 'node:net';
import { exchange, untilHungUp } from './support/exchange';
import { Service, Tenant } from './support/service';

const OFFERS = '/api/v1/public/offers';
const FLOWS = '/api/v1/public/flows';

describe('A stranger', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
    acme = await service.workspace();
  });
  afterAll(() => service.stop());

  describe('whose body is not wanted is answered at once', () => {
    const head = (path: string, key = '') =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: 200000\r\n${key && `Authorization: Bearer ${key}\r\n`}\r\n`;

    it.each([
      ['no key', OFFERS, '', 401, 'unauthorized'],
      ['what is not a key', OFFERS, 'rf_live_guessed', 401, 'invalid_token'],
      ["a key that isn't the operator's", '/api/v1/admin/workspaces', 'guessed', 401, 'invalid_token'],
      ['a path that nothing answers', '/api/v1/public/nothing', '', 404, 'not_found'],
      ['a path of the runtime interface that nothing answers', '/api/v1/runtime/nothing', '', 404, 'not_found'],
    ])('for %s', async (_, path, key, status, code) => {
      const answer = await exchange(service, head(path, key));
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    });

    it.each([
      ['POST', OFFERS, 401],
      ['POST', '/nothing', 404],
      ['GET', '/livez', 200],
    ])('and not listened to any further: %s %s', async (method, path, status) => {
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
      // An answer may be lost to one who is still sending.
      if (text) expect(text).toContain(`HTTP/1.1 ${status} `);
    });

    it('and once, though the body never comes', async () => {
      const request = head(OFFERS).replace('Connection: close\r\n', '').replace('200000', '100');
      const text = await untilHungUp(service, request);
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401']);
    });

    it('for a key that is revoked', async () => {
      const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Spare' });
      await acme.client.delete(`/api/v1/public/api-keys/${body.id}`);
      const answer = await exchange(service, head(OFFERS, body.key));
      expect([answer.status, answer.body.code]).toEqual([401, 'invalid_token']);
    });
  });

  describe('who sends requests without waiting for answers', () => {
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`;

    it('gets 16 answers in the order of the requests', async () => {
      const paths = Array.from({ length: 15 }, (_, n) => (n % 2 === 0 ? FLOWS : `${FLOWS}/nothing`));
      const last = `GET ${FLOWS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const text = await untilHungUp(service, paths.map(request).join('') + last);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
      expect(statuses).toEqual([...paths.map((path) => (path === FLOWS ? 200 : 404)), 401]);
    });

    it.each([FLOWS, '/docs/swagger-ui-bundle.js', '/nothing', '/%zz', '*'])(
      'is hung up on when more than 16 wait: %s',
      async (path) => {
        const before = service.log.length;
        const text = await untilHungUp(service, request(path).repeat(2000));
        expect([...text.matchAll(/HTTP\/1\.1 /g)].length).toBeLessThanOrEqual(16);
        expect(service.log.slice(before)).toEqual([]);
        expect((await acme.client.get(FLOWS)).status).toBe(200);
      },
    );
  });
});
