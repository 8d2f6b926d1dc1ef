import { ADMIN_API_KEY } from '../support/environment';
import { type JsonResponse, send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { ServiceUnderFault } from './support/service-under-fault';

const DATABASE = 'limits';
const SESSIONS = 64;
const LIMIT = 3;
const FLOW = { name: 'Leaving Acme', product_name: 'Acme Pro', cancellation_url: 'https://acme.example/cancel' };
const SESSION = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

const ROWS = `
  SELECT sessions_used AS used,
    (SELECT count(*)::integer FROM flow_sessions WHERE workspace_id = $1) AS sessions,
    (SELECT count(*)::integer FROM flow_sessions WHERE workspace_id = $1 AND saved_by_offer) AS accepted,
    (SELECT count(*)::integer FROM session_steps WHERE workspace_id = $1 AND action = 'accept') AS accepts,
    (SELECT count(*)::integer FROM session_steps WHERE workspace_id = $1 AND action = 'refused') AS refusals
  FROM workspaces WHERE id = $1`;

describe('The limit of an offer', () => {
  let postgres: PostgresServer;
  let service: ServiceUnderFault;
  let key: string;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
  });
  afterAll(async () => {
    await service?.kill();
    await postgres?.stop();
  });

  const call = (method: string, path: string, body?: object, bearer = key) =>
    send(undefined, method, service.url + path, body, { authorization: `Bearer ${bearer}` });
  const step = (id: string, body: object) => send(undefined, 'POST', `${service.url}${SESSION}/${id}/step`, body);

  /** A session of the one customer that is shown the offer. */
  async function walk(flow_slug: string): Promise<string> {
    const start = { flow_slug, customer: { id: 'cus_4711' } };
    const id = (await send(undefined, 'POST', `${service.url}${SESSION}/init`, start)).body.session_id as string;
    await step(id, { node_key: 'start', action: 'continue' });
    const { body } = await step(id, { node_key: 'reason', action: 'answer', option: 'other' });
    expect(body.node.key).toBe('offer_1');
    return id;
  }

  it('holds when the service is killed while one customer accepts it in 64 sessions', async () => {
    const workspace = await call('POST', '/api/v1/admin/workspaces', { name: 'Acme' }, ADMIN_API_KEY);
    key = workspace.body.api_key.key;
    const limit = { accepted: LIMIT, within_days: 180 };
    const offer = { name: 'Half price', offer_type: 'discount_percentage', limit };
    const offer_ids = [(await call('POST', `${PUBLIC}/offers`, offer)).body.id];
    const { body: flow } = await call('POST', `${PUBLIC}/flows`, { ...FLOW, offer_ids });
    await call('PUT', `${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    const ids = await Promise.all(Array.from({ length: SESSIONS }, () => walk(flow.slug)));
    const acceptIn = (id: string) => step(id, { node_key: 'offer_1', action: 'accept' });

    const underWay = ids.map(acceptIn);
    const answered = Promise.allSettled(underWay);
    await Promise.any(underWay);
    await service.kill();
    const before = await answered;
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
    const after = await Promise.all(ids.map(acceptIn));

    const resultOf = ({ status, body }: JsonResponse) => (status === 200 ? 'accepted' : (body.code as string));
    const results = after.map(resultOf);
    expect(results.filter((one) => one === 'accepted')).toHaveLength(LIMIT);
    expect(results.filter((one) => one === 'offer_not_available')).toHaveLength(SESSIONS - LIMIT);
    // What was answered before the kill was committed.
    const early = before.map((one) => (one.status === 'fulfilled' ? resultOf(one.value) : undefined));
    expect(early.map((one, index) => one ?? results[index])).toEqual(results);
    expect(await postgres.query(ROWS, [workspace.body.id], DATABASE)).toEqual([
      { used: SESSIONS, sessions: SESSIONS, accepted: LIMIT, accepts: LIMIT, refusals: SESSIONS - LIMIT },
    ]);
    const { offers } = (await call('GET', `${PUBLIC}/flows/${flow.id}/stats`)).body;
    expect(offers).toMatchObject([
      { presented: SESSIONS, accepted: LIMIT, withheld: [{ reason: 'limit', sessions: SESSIONS - LIMIT }] },
    ]);
    expect(service.defects).toEqual([]);
    const lost = before.filter(({ status }) => status === 'rejected').length;
    process.stdout.write(`  ${SESSIONS - lost} accepts answered before the kill, ${lost} not\n`);
  });
});
