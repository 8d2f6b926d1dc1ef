import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import type { Problem } from '../../../src/platform/api/problems/problem';
import { sendProblem } from '../../../src/platform/http/server/problem.filter';
import { assignSurfaces } from '../../../src/platform/http/surface';
import { limitUnread } from '../../../src/platform/http/limits/unread-responses';
import { serviceForAll } from '../../support/service';
import { until } from '../../support/until';

const ABORTED = 200;
/** A graph of 100 KB. */
const DEFINITION = {
  entry: 'node_0',
  nodes: [
    ...Array.from({ length: 20 }, (_, n) => ({
      key: `node_${n}`,
      type: 'survey',
      config: { title: 'Why?', body: 'x'.repeat(5000), options: [{ value: 'other', label: 'Other' }] },
      next: `node_${n + 1}`,
    })),
    { key: 'node_20', type: 'confirm', config: { title: 'Sure?' } },
  ],
};

describe('Responses of 20 MB in all', () => {
  const service = serviceForAll();

  it('do not keep others of the workspace back when their clients were gone before they were sent', async () => {
    const acme = await service.workspace();
    const { id } = await acme.flow({ flow_mode: 'advanced', definition: DEFINITION });
    const path = `/api/v1/public/flows/${id}`;
    const { hostname, port } = new URL(service.client.baseUrl);
    for (let n = 0; n < ABORTED; n++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`, () =>
        socket.destroy(),
      );
      await once(socket, 'close');
    }
    // The service may still be busy with those.
    await until(
      () => acme.client.get(path),
      ({ status }) => status === 200,
    );
  });
});

describe('Pictures that one address leaves unread', () => {
  const PICTURE = Buffer.alloc(6_000_000);
  const app = fastify();

  beforeAll(async () => {
    assignSurfaces(app);
    limitUnread(app);
    app.setErrorHandler((error, request, reply) => sendProblem(error as Problem, request, reply));
    app.get('/images/one', { config: { surface: 'image' } }, (_, reply) =>
      reply.headers({ 'cache-control': 'public, max-age=31536000', etag: '"1"' }).type('image/png').send(PICTURE),
    );
    app.get('/answer', { config: { surface: 'management' } }, () => 'x'.repeat(20_000));
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  it('are refused beyond 16 MB, in a way that no cache keeps; other answers go on', async () => {
    const { port } = app.server.address() as AddressInfo;
    const sockets = Array.from({ length: 3 }, () => {
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => {});
      // More than the buffers of the system take.
      socket.write('GET /images/one HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10));
      return socket;
    });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const refused = await until(
      async () => {
        const response = await ask('/images/one');
        await response.arrayBuffer();
        return response;
      },
      ({ status }) => status === 429,
    );
    const { headers } = refused;
    expect([headers.get('cache-control'), headers.get('etag'), headers.get('retry-after')]).toEqual([
      'no-store',
      null,
      '1',
    ]);
    expect((await ask('/answer')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(
      () => ask('/images/one'),
      ({ status }) => status === 200,
    );
  });
});
