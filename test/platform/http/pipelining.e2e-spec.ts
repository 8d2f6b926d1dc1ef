import { FlowsService } from '../../../src/flows/flows.service';
import { untilClosed } from '../../support/exchange';
import { serviceForAll, type Tenant } from '../../support/service';

const FLOWS = '/api/v1/public/flows';
const OFFERS = '/api/v1/public/offers';

describe('Pipelined requests', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });
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

  it('begin when the response before is written', async () => {
    const flows = service.app.get(FlowsService);
    const list = flows.list.bind(flows);
    const underWay: number[] = [];
    let lists = 0;
    const spy = jest.spyOn(flows, 'list').mockImplementation(async (...query) => {
      underWay.push(++lists);
      return list(...query).finally(() => lists--);
    });
    try {
      const last = request(FLOWS).replace('Host: x', 'Host: x\r\nConnection: close');
      const text = await untilClosed(service, request(FLOWS).repeat(4) + last);
      expect([...text.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(5);
      expect(underWay).toEqual([1, 1, 1, 1, 1]);
    } finally {
      spy.mockRestore();
    }
  });

  it('do not begin behind a response that closes the connection', async () => {
    const before = (await acme.client.get(OFFERS)).body.offers.length;
    const body = JSON.stringify({ name: 'Half price', offer_type: 'custom' });
    const create =
      `POST ${OFFERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await untilClosed(service, 'GET / HTTP/1.1\r\n\r\n' + create);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['400']);
    expect((await acme.client.get(OFFERS)).body.offers).toHaveLength(before);
  });
});
