import { untilClosed } from '../support/exchange';
import { Service, Tenant } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('Pipelined requests', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
    acme = await service.workspace();
  });
  afterAll(() => service.stop());
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`;

  it('get up to 16 responses, in the order of the requests', async () => {
    const paths = Array.from({ length: 15 }, (_, n) => (n % 2 === 0 ? FLOWS : `${FLOWS}/nothing`));
    const last = `GET ${FLOWS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const text = await untilClosed(service, paths.map(request).join('') + last);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([...paths.map((path) => (path === FLOWS ? 200 : 404)), 401]);
  });

  it.each([FLOWS, '/docs/swagger-ui-bundle.js', '/nothing', '/%zz', '*'])(
    'lose their connection when more than 16 wait: %s',
    async (path) => {
      const before = service.log.length;
      const text = await untilClosed(service, request(path).repeat(2000));
      expect([...text.matchAll(/HTTP\/1\.1 /g)].length).toBeLessThanOrEqual(16);
      expect(service.log.slice(before)).toEqual([]);
      expect((await acme.client.get(FLOWS)).status).toBe(200);
    },
  );
});
