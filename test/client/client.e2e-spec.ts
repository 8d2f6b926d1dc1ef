import { ApiError, RetentionFlow } from '@retention-flow/client';
import { serviceForAll, workspaceForEach } from '../support/service';

describe('A client', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let rf: RetentionFlow;
  let requests: string[];

  beforeEach(async () => {
    requests = [];
    const { baseUrl } = service.client;
    const counted: typeof fetch = (input, init) => {
      requests.push((input as Request).url.slice(baseUrl.length));
      return fetch(input, init);
    };
    rf = new RetentionFlow({ baseUrl, apiKey: acme.key, fetch: counted });
  });

  const offers = async (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `Offer ${n}`);
    for (const name of names) await acme.offer({ name });
    return names.toReversed();
  };

  it('awaits a list for its first page, as the service answers it', async () => {
    const names = await offers(3);
    const page = await rf.offers.list({ limit: 2 });
    expect(page.offers.map(({ name }) => name)).toEqual(names.slice(0, 2));
    expect(page.next_cursor).toEqual(expect.any(String));
    const next = await rf.offers.list({ limit: 2, cursor: page.next_cursor! });
    expect([next.offers.map(({ name }) => name), next.next_cursor]).toEqual([[names[2]], null]);
  });

  it('iterates a list over all pages, with its query on each', async () => {
    const names = await offers(5);
    await rf.offers.archive((await rf.offers.list({ limit: 1 })).offers[0].id);
    requests = [];
    const found: string[] = [];
    for await (const { name } of rf.offers.list({ limit: 2, status: 'active' })) found.push(name);
    expect(found).toEqual(names.slice(1));
    expect(requests).toHaveLength(2);
    for (const url of requests) expect(url).toMatch(/\?limit=2&status=active/);
  });

  it('reads the first page of a list once, however it is read, and nothing before', async () => {
    await offers(3);
    const list = rf.offers.list({ limit: 2 });
    expect(requests).toEqual([]);
    const names = async () => {
      const found: string[] = [];
      for await (const { name } of list) found.push(name);
      return found;
    };
    expect(await names()).toHaveLength(3);
    expect(await list).toBe(await list);
    expect(requests).toHaveLength(2);
    expect(await names()).toHaveLength(3);
    expect(requests).toHaveLength(3);
  });

  it('reads no page that nobody asks for', async () => {
    await offers(5);
    // oxlint-disable-next-line no-unreachable-loop
    for await (const { name } of rf.offers.list({ limit: 2 })) {
      expect(name).toBe('Offer 4');
      break;
    }
    expect(requests).toHaveLength(1);
  });

  it('iterates an empty list, and the deliveries of a webhook', async () => {
    const { id } = await rf.webhooks.create({ url: 'https://acme.example/hook' });
    for (const list of [rf.sessions.list(), rf.webhooks.deliveries(id), rf.events.list()]) {
      for await (const item of list) throw new Error(JSON.stringify(item));
    }
  });

  it('rejects a list that is refused, once, wherever it is read', async () => {
    const list = rf.offers.list({ limit: 501 });
    await expect(list).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(list[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(ApiError);
    await expect(list.catch(({ status }: ApiError) => status)).resolves.toBe(400);
    expect(requests).toHaveLength(1);
  });

  it('has all that a problem says in its error', async () => {
    const error: unknown = await rf.offers
      .create({ name: '', offer_type: 'custom' }, { idempotencyKey: 'a key of my own, long enough' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_request',
      message: expect.stringContaining('/name'),
      errors: [{ pointer: '/name', message: expect.any(String) }],
      requestId: expect.any(String),
      retryAfter: undefined,
    });
  });

  it('has the way out in the error of a flow that is archived', async () => {
    const flow = await acme.publishedFlow();
    await rf.flows.archive(flow.id);
    await expect(rf.runtime.start({ flow_slug: flow.slug })).rejects.toMatchObject({
      code: 'flow_not_published',
      cancellationUrl: 'https://acme.example/cancel',
    });
  });

  it('has where the session stands in the error of a step that came too late', async () => {
    const { slug } = await acme.publishedFlow();
    const { session_id } = await rf.runtime.start({ flow_slug: slug });
    await rf.runtime.step(session_id, { action: 'keep' });
    await expect(rf.runtime.step(session_id, { action: 'cancel' })).rejects.toMatchObject({
      code: 'step_conflict',
      session: { session_id, status: 'saved' },
    });
  });

  it('has the code of a key that is missing, and of one that is wrong', async () => {
    const { baseUrl } = service.client;
    await expect(new RetentionFlow({ baseUrl }).workspace.get()).rejects.toMatchObject({ code: 'unauthorized' });
    const wrong = new RetentionFlow({ baseUrl, apiKey: 'rf_live_wrong' });
    await expect(wrong.workspace.get()).rejects.toMatchObject({ code: 'invalid_token', status: 401 });
  });
});
