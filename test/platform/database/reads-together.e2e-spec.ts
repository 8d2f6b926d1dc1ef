import { ConnectionPool } from '../../../src/platform/database/connection/connection-pool';
import { serviceForAll, workspaceForEach } from '../../support/service';

describe('Reads that leave in one packet', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it('each have their own rows or their own error', async () => {
    const connections = service.app.get(ConnectionPool);
    const read = (value: number) =>
      connections.read(acme.id, { name: 'inverse', text: 'SELECT 60 / $1::int AS inverse', values: [value] });
    // The first two leave at once, each alone; the others gather, and leave together.
    const values = [1, 2, 3, 0, 4, 5, 0, 6];
    const settled = await Promise.allSettled(values.map(read));
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual(
      values.map((value) => (value === 0 ? 'error: division by zero' : [{ inverse: 60 / value }])),
    );
    expect(await read(60)).toEqual([{ inverse: 1 }]);
  });
});
