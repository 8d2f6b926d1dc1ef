import { createServer } from 'node:net';
import { once } from 'node:events';
import { ADMIN_API_KEY } from '../support/environment';
import { Databases } from '../support/databases';
import { freePort } from '../support/free-port';
import { ServiceProcess } from '../support/service-process';
import { until } from '../support/until';

const OPERATORS = ['/livez', '/readyz', '/metrics', '/api/v1/admin/workspaces'];
const EVERYBODYS = ['/console', '/openapi.json', '/widget/v1.js', '/api/v1/public/flows', '/api/v1/public/stats'];

describe('OPERATION_PORT', () => {
  const databases = new Databases();
  let databaseUrl: string;
  let port: number;

  beforeEach(async () => {
    databaseUrl = await databases.create();
    port = await freePort();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  const start = () => ServiceProcess.start({ DATABASE_URL: databaseUrl, OPERATION_PORT: String(port) });
  const statusesAt = (address: string, paths: string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const headers = { authorization: `Bearer ${ADMIN_API_KEY}` };
        const response = await fetch(address + path, { headers });
        await response.text();
        return response.status;
      }),
    );

  it('has health, metrics and the routes of the operator, and nothing else; the other port has the rest', async () => {
    const service = start();
    const address = await service.address();
    const operation = `http://127.0.0.1:${port}`;
    expect(await statusesAt(operation, OPERATORS)).toEqual([200, 200, 200, 200]);
    expect(await statusesAt(address, OPERATORS)).toEqual([404, 404, 404, 404]);
    expect(await statusesAt(operation, EVERYBODYS)).toEqual([404, 404, 404, 404, 404]);
    // The operator's key is none of a workspace.
    expect(await statusesAt(address, EVERYBODYS)).toEqual([200, 200, 200, 401, 401]);
    expect(service.stderr).toBe('');
  });

  it('says that the service is not ready while it stops, then closes', async () => {
    const service = start();
    await service.address();
    service.signal('SIGTERM');
    const ready = async () => (await statusesAt(`http://127.0.0.1:${port}`, ['/readyz']))[0];
    await until(ready, (status) => status === 503);
    expect(await service.ended).toBe(0);
  });

  it('that is taken is refused in one line', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const service = start();
    expect(await service.ended).toBe(1);
    other.close();
    expect(service.stderr).toMatch(
      new RegExp(`^HOST 127\\.0\\.0\\.1 with OPERATION_PORT ${port} can't be used: .*EADDRINUSE[^\\n]*\\n$`),
    );
  });
});
