import { once } from 'node:events';
import { connect } from 'node:net';
import { serviceForAll } from '../../support/service';

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
    expect((await acme.client.get(path)).status).toBe(200);
  });
});
