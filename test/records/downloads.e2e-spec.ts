import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Service, Tenant } from '../support/service';

const PUBLIC = '/api/v1/public';
/** More than the sockets between a service and a client that doesn't read take: 16 MB. */
const SESSIONS = 2000;

describe('Downloads', () => {
  let service: Service;
  const responses: IncomingMessage[] = [];

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    for (const response of responses.splice(0)) response.destroy();
  });

  async function workspace(): Promise<Tenant> {
    const tenant = await service.workspace();
    const { id } = await tenant.publishedFlow();
    await service.database.query(
      `INSERT INTO flow_sessions (workspace_id, id, session_id, flow_id, flow_version, status, current_node_key, customer_id,
          customer, customer_verified, created_at, updated_at)
        SELECT $1, (lpad(to_hex(n), 8, '0') || right(gen_random_uuid()::text, 28))::uuid, gen_random_uuid(), $2, 1, 'canceled',
          'confirm', 'cus_1', jsonb_build_object('attributes', jsonb_build_object('note', repeat('x', 8000))), false, now(), now()
        FROM generate_series(1, $3) AS n`,
      [tenant.id, id, SESSIONS],
    );
    return tenant;
  }

  /** A response that nobody reads. */
  async function open({ key }: Tenant, file = 'sessions.csv'): Promise<IncomingMessage> {
    const options = { agent: new Agent(), headers: { authorization: `Bearer ${key}` } };
    const request = get(`${service.client.baseUrl}${PUBLIC}/${file}`, options);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    responses.push(response.on('error', () => {}));
    return response;
  }

  /** Asks until the service knows that a client is gone. */
  async function untilOpen(tenant: Tenant): Promise<void> {
    while ((await open(tenant)).statusCode !== 200);
  }

  it('are two of a workspace at a time, of sessions and comments together; a third is 429, and others go on', async () => {
    const [acme, other] = [await workspace(), await workspace()];
    const [first] = [await open(acme), await open(acme)];
    for (const file of ['sessions.csv', 'comments.csv']) {
      const { status, headers, body } = await acme.client.get(`${PUBLIC}/${file}`);
      expect([status, headers.get('retry-after'), body.code]).toEqual([429, '10', 'too_many_requests']);
      expect(body.detail).toContain('2 downloads');
    }
    expect((await acme.client.get(`${PUBLIC}/sessions`)).status).toBe(200);
    expect((await open(other)).statusCode).toBe(200);
    first.destroy();
    await untilOpen(acme);
  });

  it('are ten in all; an eleventh is 503', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, workspace));
    for (const tenant of tenants.slice(0, 5)) await Promise.all([open(tenant), open(tenant)]);
    const [first] = responses;
    const { status, headers, body } = await tenants[5].client.get(`${PUBLIC}/sessions.csv`);
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '10', 'service_unavailable']);
    first.destroy();
    await untilOpen(tenants[5]);
  });

  it('give their place back when they are whole, and when they fail', async () => {
    const acme = await service.workspace();
    for (let n = 0; n < 3; n++) {
      expect((await acme.client.get(`${PUBLIC}/sessions.csv`)).status).toBe(200);
      expect((await acme.client.get(`${PUBLIC}/sessions.csv?from=never`)).status).toBe(400);
    }
  });
});
