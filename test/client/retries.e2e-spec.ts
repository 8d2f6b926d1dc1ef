import { setImmediate } from 'node:timers/promises';
import { ApiError, RetentionFlow } from '@retention-flow/client';
import { ADMIN_API_KEY } from '../support/environment';
import { Service, type Tenant } from '../support/service';
import { type Fault, UnreliableServer } from './unreliable-server';

/** What happens to a call in turn: four times, as often as a client tries again. */
const TURNS: Fault[][] = [
  ['lost', 'unreached', { status: 502 }, 'hanging'],
  ['hanging', { status: 503, retryAfter: 0 }, 'broken off', 'lost'],
  ['broken off', { status: 429, retryAfter: 0 }, { status: 504 }, 'unreached'],
];

describe('A client of a service behind a network that fails', () => {
  let service: Service;
  let proxy: UnreliableServer;
  let acme: Tenant;
  let rf: RetentionFlow;

  beforeAll(async () => {
    service = await Service.start();
    proxy = await UnreliableServer.start(service.client.baseUrl);
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
  });
  beforeEach(async () => {
    // All pauses are as short as they may be.
    jest.spyOn(Math, 'random').mockReturnValue(0);
    acme = await service.workspace();
    rf = clientWith(acme.key);
  });
  afterEach(() => jest.restoreAllMocks());

  /** With attempts to spare: on a busy machine, more than those planned may time out. */
  const clientWith = (apiKey?: string) => new RetentionFlow({ baseUrl: proxy.url, apiKey, timeout: 500, retries: 8 });
  const countOf = async (table: string): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`;
    const [{ count }] = await service.database.query(sql, [acme.id]);
    return count;
  };

  // A customer waits: it is tried twice.
  it.each([...new Set(TURNS.flat())])('starts a session once: %j', async (fault) => {
    const { slug } = await acme.publishedFlow();
    proxy.faults = [fault];
    const { session_id } = await clientWith().runtime.start({ flow_slug: slug });
    expect(proxy.faults).toEqual([]);
    expect((await rf.sessions.list()).sessions).toHaveLength(1);
    expect((await rf.runtime.get(session_id)).status).toBe('in_progress');
    expect(await acme.usage()).toMatchObject({ sessions_used: 1 });
  });

  it.each(TURNS)('takes each step once: %j, %j, %j, %j', async (...faults) => {
    const { slug } = await acme.publishedFlow();
    const { runtime } = clientWith();
    const { session_id } = await runtime.start({ flow_slug: slug });
    for (const step of [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'other' },
      { action: 'keep' },
    ] as const) {
      proxy.faults = [...faults];
      await runtime.step(session_id, step);
      expect(proxy.faults).toEqual([]);
    }
    expect((await runtime.get(session_id)).status).toBe('saved');
    expect(await countOf('session_steps')).toBe(3);
  });

  it.each(TURNS)('creates each thing once: %j, %j, %j, %j', async (...faults) => {
    const flow = { name: 'Leaving', product_name: 'Pro', cancellation_url: 'https://acme.example/cancel' };
    const { id } = await acme.flow();
    for (const [table, create] of [
      ['offers', () => rf.offers.create({ name: 'Half price', offer_type: 'custom' })],
      ['flows', () => rf.flows.create(flow)],
      ['previews', () => rf.flows.preview(id)],
      ['webhooks', () => rf.webhooks.create({ url: 'https://acme.example/hook' })],
      ['api_keys', () => rf.apiKeys.create({ name: 'Spare' })],
      ['customer_keys', () => rf.customerKeys.create({ name: 'Spare', algorithm: 'HS256' })],
      ['api_keys', () => clientWith(ADMIN_API_KEY).workspaces.createApiKey(acme.id, { name: 'Spare' })],
    ] as const) {
      const before = await countOf(table);
      proxy.faults = [...faults];
      await create();
      expect([table, proxy.faults]).toEqual([table, []]);
      expect([table, await countOf(table)]).toEqual([table, before + 1]);
    }
  });

  it.each(TURNS)('creates a workspace once: %j, %j, %j, %j', async (...faults) => {
    const operator = clientWith(ADMIN_API_KEY);
    const name = `Once ${JSON.stringify(faults)}`.slice(0, 100);
    proxy.faults = [...faults];
    await operator.workspaces.create({ name });
    const names = await service.database.query('SELECT id FROM workspaces WHERE name = $1', [name]);
    expect(names).toHaveLength(1);
  });

  it.each(TURNS)('reads and changes what is there: %j, %j, %j, %j', async (...faults) => {
    const { id } = await acme.offer();
    proxy.faults = [...faults];
    await rf.offers.update(id, { name: 'A third off' });
    proxy.faults = [...faults];
    expect((await rf.offers.get(id)).name).toBe('A third off');
    proxy.faults = [...faults];
    expect((await rf.offers.list()).offers).toHaveLength(1);
    proxy.faults = [...faults];
    expect(await rf.offers.archive(id)).toEqual({ archived: true, id });
  });

  it('learns that a webhook is gone by a 404, when the answer to its deletion was lost', async () => {
    const { id } = await rf.webhooks.create({ url: 'https://acme.example/hook' });
    proxy.faults = ['lost'];
    await expect(rf.webhooks.delete(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect((await rf.webhooks.list()).webhooks).toEqual([]);
  });

  it('replaces a secret once at most: it does not try again', async () => {
    const { id } = await rf.webhooks.create({ url: 'https://acme.example/hook' });
    proxy.faults = ['lost'];
    const before = proxy.requests;
    await expect(rf.webhooks.rotateSecret(id)).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(proxy.requests).toBe(before + 1);
    proxy.faults = [{ status: 429, retryAfter: 0 }];
    expect((await rf.webhooks.rotateSecret(id)).secret).toMatch(/^whsec_/);
  });

  it('gives up after five attempts, with what the last one said', async () => {
    const usual = new RetentionFlow({ baseUrl: proxy.url, apiKey: acme.key });
    proxy.faults = ['lost', 'unreached', { status: 502 }, 'broken off', { status: 503 }];
    await expect(usual.workspace.get()).rejects.toMatchObject({ name: 'ApiError', status: 503, code: 'unknown' });
    expect(proxy.faults).toEqual([]);
  });

  it('ends at once with its signal', async () => {
    const controller = new AbortController();
    proxy.faults = ['hanging'];
    const { requests, hanging } = proxy;
    const call = new RetentionFlow({ baseUrl: proxy.url, apiKey: acme.key }).workspace.get({
      signal: controller.signal,
    });
    while (proxy.hanging === hanging) await setImmediate();
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(proxy.requests).toBe(requests + 1);
  });
});

describe('A client of a service with rate limits', () => {
  it('is told how long to wait when it does not wait by itself', async () => {
    const service = await Service.start({ MANAGEMENT_REQUESTS_PER_MINUTE: '3' });
    try {
      const { key: apiKey } = await service.workspace();
      const rf = new RetentionFlow({ baseUrl: service.client.baseUrl, apiKey, retries: 0 });
      for (let n = 0; n < 3; n++) await rf.workspace.get();
      const error: unknown = await rf.workspace.get().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 429, code: 'too_many_requests', requestId: expect.any(String) });
      const { retryAfter } = error as ApiError;
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
    } finally {
      await service.stop();
    }
  });
});
