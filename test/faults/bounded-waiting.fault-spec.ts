import { connected } from '../support/database';
import { TcpProxy } from '../support/tcp-proxy';
import { type JsonResponse, send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { ServiceUnderFault } from './support/service-under-fault';
import { createTenants, type Tenant } from './support/tenants';

/** Several batches. */
const STARTS = 500;
const DATABASE = 'waiting';

describe('Every request is answered', () => {
  let postgres: PostgresServer;
  let proxy: TcpProxy;
  let service: ServiceUnderFault;
  let tenants: Tenant[];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    proxy = await TcpProxy.start(postgres.url(DATABASE));
    service = await ServiceUnderFault.start(proxy.url);
    tenants = await createTenants(service.url, [1000, 1000]);
  });

  afterAll(async () => {
    await service?.kill();
    proxy?.close();
    await postgres?.stop();
  });

  afterEach(() => expect(service.defects).toEqual([]));

  const post = (path: string, body: object) => send(undefined, 'POST', service.url + path, body);
  const start = ({ slug }: Tenant) => post('/api/v1/runtime/session/init', { flow_slug: slug });
  const sessionsOf = async ({ id }: Tenant): Promise<number> => {
    const sql = 'SELECT FROM flow_sessions WHERE workspace_id = $1';
    return (await postgres.query(sql, [id], DATABASE)).length;
  };

  it('while another session locks the row of a workspace, and refused starts are not counted later', async () => {
    const [held, other] = tenants;
    const before = (await start(held)).status;
    const responses = await connected(postgres.url(DATABASE), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [held.id]);
      const pending = Promise.all(Array.from({ length: STARTS }, () => start(held)));
      // Other workspaces are served.
      expect((await start(other)).status).toBe(201);
      const all = await pending;
      await client.query('ROLLBACK');
      return all;
    });
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    const after = (await start(held)).status;
    expect([before, after, await sessionsOf(held)]).toEqual([201, 201, 2]);
  });

  it('while Postgres is frozen', async () => {
    const [, tenant] = tenants;
    const responses: JsonResponse[] = [];
    await postgres.freezeDuring(async () => {
      responses.push(...(await Promise.all(Array.from({ length: STARTS }, () => start(tenant)))));
    });
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await start(tenant)).status).toBe(201);
  });

  it('while everything that Postgres sends arrives 4.8 seconds late, just before the time-out of a statement', async () => {
    const { body } = await start(tenants[1]);
    proxy.delayMs = 4800;
    const { status } = await post(`/api/v1/runtime/session/${body.session_id}/step`, { action: 'cancel' });
    expect(status).toBe(503);
    proxy.delayMs = 0;
    expect((await start(tenants[1])).status).toBe(201);
  });
});
