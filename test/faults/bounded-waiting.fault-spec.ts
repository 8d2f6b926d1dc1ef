import { connected } from '../support/database';
import { type Answer, send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { Proxy } from './support/proxy';
import { ServiceUnderFault } from './support/service-under-fault';
import { createTenants, type Tenant } from './support/tenants';

/** The longest that a request may take, whatever the database does. */
const BOUND_MS = 10_000;
/** More than fit into a batch, several times. */
const STARTS = 500;
const DATABASE = 'waiting';

describe('No request outlives 10 seconds', () => {
  let postgres: PostgresServer;
  let proxy: Proxy;
  let service: ServiceUnderFault;
  let tenants: Tenant[];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    proxy = await Proxy.start(postgres.port);
    service = await ServiceUnderFault.start(postgres.url(DATABASE, proxy.port));
    tenants = await createTenants(service.url, [1000, 1000]);
  });

  afterAll(async () => {
    await service?.kill();
    await proxy?.stop();
    await postgres?.stop();
  });

  afterEach(() => expect(service.defects).toEqual([]));

  const post = async (path: string, body: object): Promise<Answer & { ms: number }> => {
    const begin = performance.now();
    const answer = await send(undefined, 'POST', service.url + path, body);
    return { ...answer, ms: performance.now() - begin };
  };
  const start = ({ slug }: Tenant) => post('/api/v1/runtime/session/init', { flow_slug: slug });
  const sessionsOf = async ({ id }: Tenant): Promise<number> => {
    const sql = 'SELECT FROM flow_sessions WHERE workspace_id = $1';
    return (await postgres.query(sql, [id], DATABASE)).length;
  };

  it('when somebody holds the row of a workspace, and those who were turned away are not counted later', async () => {
    const [held, other] = tenants;
    const before = (await start(held)).status;
    const answers = await connected(postgres.url(DATABASE), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [held.id]);
      const asked = Promise.all(Array.from({ length: STARTS }, () => start(held)));
      // Nobody else notices.
      expect((await start(other)).status).toBe(201);
      const all = await asked;
      await client.query('ROLLBACK');
      return all;
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);
    const after = (await start(held)).status;
    expect([before, after, await sessionsOf(held)]).toEqual([201, 201, 2]);
  });

  it('when Postgres is frozen', async () => {
    const [, tenant] = tenants;
    const answers: (Answer & { ms: number })[] = [];
    await postgres.freezeDuring(async () => {
      answers.push(...(await Promise.all(Array.from({ length: STARTS }, () => start(tenant)))));
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);
    expect((await start(tenant)).status).toBe(201);
  });

  it('when Postgres is slow in everything it says', async () => {
    const { body } = await start(tenants[1]);
    proxy.delayMs = 2000;
    const { status, ms } = await post(`/api/v1/runtime/session/${body.session_id}/step`, { action: 'cancel' });
    expect(status).toBe(503);
    expect(ms).toBeLessThan(BOUND_MS);
    proxy.delayMs = 0;
    expect((await start(tenants[1])).status).toBe(201);
  });
});
