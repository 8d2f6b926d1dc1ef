import { once } from 'node:events';
import type { Answer } from '../../support/client';
import { version } from '../../../package.json';
import { Service, serviceForAll, workspaceForEach } from '../../support/service';

const INIT = '/api/v1/runtime/session/init';

describe('GET /metrics', () => {
  const service = serviceForAll(() => Service.start({ DATABASE_POOL_SIZE: '7' }));
  const acme = workspaceForEach(service, { session_limit: 2 });
  let flow_slug: string;

  beforeEach(async () => {
    flow_slug = (await acme.publishedFlow()).slug;
  });

  /** The value of a sample, or 0 if there is none yet. */
  const sample = async (name: string): Promise<number> => {
    const lines = (await metrics()).split('\n');
    return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length) ?? 0);
  };
  const metrics = async () => (await service.client.get('/metrics')).body as string;

  /** How much a sample increases during `work`. */
  async function increase(name: string, work: () => Promise<unknown>): Promise<number> {
    const before = await sample(name);
    await work();
    return (await sample(name)) - before;
  }

  it('is in the Prometheus text format', async () => {
    const { status, headers, body } = await service.client.get('/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('# '));
    expect(lines.filter((line) => !/^[a-z_]\w*(\{(\w+="[^"]*",?)+\})? [-+\w.]+$/.test(line))).toEqual([]);
  });

  it('counts errors by route and exact status, and nothing else', async () => {
    const errors = async () =>
      (await metrics()).split('\n').filter((line) => line.startsWith('retention_http_errors_total'));
    const invalid = 'retention_http_errors_total{method="POST",route="/api/v1/public/offers",status="400"}';
    expect(await increase(invalid, () => acme.client.post('/api/v1/public/offers', {}))).toBe(1);
    const before = await errors();
    await acme.offer();
    expect(await errors()).toEqual(before);
  });

  const timed =
    (route: string, status_class: string, method = 'POST') =>
    (part: string) =>
      `retention_http_request_duration_seconds_${part}{${part === 'bucket' ? 'le="0.05",' : ''}method="${method}",route="${route}",status_class="${status_class}"}`;
  const arrival = () => once(service.app.getHttpServer(), 'request');
  /** Keeps all connections, so that requests wait until they are released. */
  async function takeConnections() {
    const runners = Array.from({ length: 7 }, () => service.database.createQueryRunner());
    for (const runner of runners) await runner.connect();
    return {
      sleep: () => runners[0].query('SELECT pg_sleep(0.05)'),
      release: async () => {
        for (const runner of runners) await runner.release();
      },
    };
  }

  it('times requests by route and class of status', async () => {
    const created = timed('/api/v1/public/offers', '2xx');
    const invalid = timed('/api/v1/public/offers', '4xx');
    expect(await increase(created('count'), () => acme.offer())).toBe(1);
    expect(await increase(invalid('count'), () => acme.client.post('/api/v1/public/offers', {}))).toBe(1);

    const before = await sample(created('bucket'));
    const connections = await takeConnections();
    const slow = async () => {
      const arrived = arrival();
      const offer = acme.offer();
      await arrived;
      await connections.sleep();
      await connections.release();
      await offer;
    };
    expect(await increase(created('sum'), slow)).toBeGreaterThan(0.05);
    expect(await sample(created('bucket'))).toBe(before);
  });

  it('times requests whose client does not wait for the response', async () => {
    const aborted = timed('/api/v1/public/offers', 'aborted');
    const connections = await takeConnections();
    const leaving = new AbortController();
    const arrived = arrival();
    const request = fetch(`${service.client.baseUrl}/api/v1/public/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Half price', offer_type: 'discount_percentage' }),
      signal: leaving.signal,
    });
    const ended = expect(request).rejects.toThrow();
    await arrived;
    leaving.abort();
    await ended;
    while ((await sample(aborted('count'))) === 0);
    await connections.release();
    expect(await sample(aborted('count'))).toBe(1);
  });

  it('names the versions of the service and of Node', async () => {
    const labels = `version="${version}",commit="unknown",node="${process.versions.node}"`;
    expect(await sample(`retention_build_info{${labels}}`)).toBe(1);
  });

  it('has no label with values that clients choose', async () => {
    const series = async () => (await metrics()).split('\n').filter((line) => line.startsWith('retention_')).length;
    const send = async (junk: string) => {
      await service.client.get(`/${junk}`);
      await service.client.send('PURGE', `/api/v1/public/${junk}`);
      await service.client.get(`/api/v1/public/flows/${junk}?${junk}=1`);
      await service.client.get(`/api/v1/runtime/session/${junk}`);
      await service.client.post(INIT, { flow_slug: junk }, { origin: `https://${junk}.example`, 'x-junk': junk });
      await service.client.post(INIT, { [junk]: junk });
    };
    await send('junk');
    await metrics();
    const before = await series();
    for (const junk of ['more_junk', 'other_junk', 'junk'.repeat(20)]) await send(junk);
    expect(await series()).toBe(before);
    expect(await metrics()).not.toContain('junk');
  });

  it.each([
    ['started', 201, () => service.client.post(INIT, { flow_slug })],
    ['flow_not_found', 404, () => service.client.post(INIT, { flow_slug: 'nothing' })],
    ['flow_not_published', 404, async () => service.client.post(INIT, { flow_slug: (await acme.flow()).slug })],
    ['invalid_customer_token', 401, () => service.client.post(INIT, { flow_slug, customer_token: 'junk' })],
    [
      'origin_not_allowed',
      403,
      async () => {
        await acme.client.put('/api/v1/public/workspace', { allowed_origins: ['https://acme.example'] });
        return service.client.post(INIT, { flow_slug }, { origin: 'https://other.example' });
      },
    ],
  ])('counts session starts by result: %s', async (result, status, start) => {
    const name = `retention_session_starts_total{result="${result}"}`;
    expect(await increase(name, async () => expect((await start()).status).toBe(status))).toBe(1);
  });

  it('counts repeated starts, and reused idempotency keys', async () => {
    const start = (id: string) =>
      service.client.post(INIT, { flow_slug, customer: { id } }, { 'idempotency-key': `key-${flow_slug}` });
    await start('one');
    const repeated = 'retention_session_starts_total{result="repeated"}';
    const reused = 'retention_session_starts_total{result="idempotency_key_reused"}';
    expect(await increase(repeated, () => start('one'))).toBe(1);
    expect(await increase(reused, () => start('two'))).toBe(1);
  });

  it('counts starts that fail before their workspace is known, for want of a connection', async () => {
    const connections = await takeConnections();
    const name = 'retention_session_starts_total{result="service_unavailable"}';
    const start = async () => expect((await service.client.post(INIT, { flow_slug })).status).toBe(503);
    expect(await increase(name, start)).toBe(1);
    await connections.release();
  });

  it('counts starts at the session limit', async () => {
    const name = 'retention_session_starts_total{result="session_limit_reached"}';
    const start = () => service.client.post(INIT, { flow_slug });
    expect(await increase(name, () => Promise.all([start(), start()]))).toBe(0);
    expect(await increase(name, start)).toBe(1);
  });

  it('shows the batch size of starts, and that none waits', async () => {
    const starts = () => Promise.all([1, 2].map(() => service.client.post(INIT, { flow_slug })));
    expect(await increase('retention_session_start_batch_size_sum', starts)).toBe(2);
    expect(await sample('retention_session_start_queue_length')).toBe(0);
  });

  it('shows the use of the pool, and how much waits for a connection', async () => {
    expect(await sample('retention_database_pool_size')).toBe(7);
    const connections = await takeConnections();
    const waiting = service.database.query('SELECT 1');
    const text = await metrics();
    await connections.release();
    await waiting;
    expect(text).toContain('\nretention_database_pool_used 7\n');
    expect(text).toContain('\nretention_database_pool_idle 0\n');
    expect(text).toContain('\nretention_database_pool_waiting 1\n');
  });

  it('measures the time of database work', async () => {
    const slow = () => service.database.query('SELECT pg_sleep(0.05)');
    const before = await sample('retention_database_use_seconds_bucket{le="0.05"}');
    expect(await increase('retention_database_use_seconds_count', slow)).toBe(1);
    expect(await sample('retention_database_use_seconds_bucket{le="0.05"}')).toBe(before);
    expect(await sample('retention_database_up')).toBe(1);
  });

  it('shows the lag of the event loop and the memory of the process', async () => {
    expect(await sample('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(await metrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
  });

  it('counts mails from 0 on, so that the first that fails is an increase', async () => {
    for (const result of ['delivered', 'retried', 'failed', 'dropped']) {
      expect(await metrics()).toContain(`retention_deliveries_total{transport="mail",result="${result}"} 0\n`);
    }
  });

  it('counts what is carried out in billing from 0 on', async () => {
    for (const result of ['applied', 'dry_run', 'manual', 'failed', 'retried']) {
      expect(await metrics()).toContain(`retention_fulfilments_total{result="${result}"} 0\n`);
    }
  });
});

describe('An address that reads /metrics without end', () => {
  const service = serviceForAll();

  it('is refused after 600 times in a minute', async () => {
    const begun = performance.now();
    const answers: Answer[] = [];
    while (answers.length < 620) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => service.client.get('/metrics')))));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(refused);
    expect(refused.every(({ body }) => body.code === 'too_many_requests')).toBe(true);
    // A slow machine may have begun another minute.
    if (performance.now() - begun < 60_000) expect(refused).toHaveLength(20);
  });
});
