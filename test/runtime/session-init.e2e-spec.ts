import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, serviceForAll, type Tenant } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const FLOWS = '/api/v1/public/flows';

describe('POST /api/v1/runtime/session/init', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeEach(async () => {
    acme = await service.workspace();
  });

  const init = (body: object, headers?: Record<string, string>) => service.client.post(INIT, body, headers);

  async function sessionsOf(tenant: Tenant): Promise<Record<string, unknown>[]> {
    return service.database.query('SELECT * FROM flow_sessions WHERE workspace_id = $1', [tenant.id]);
  }

  it('starts a session without a key and answers what to render first', async () => {
    await acme.client.put('/api/v1/public/workspace', {
      primary_color: '#ff0000',
      logo_url: 'https://acme.example/l.svg',
    });
    const flow = await acme.publishedFlow();
    const { status, body } = await init({ flow_slug: flow.slug });
    expect(status).toBe(201);
    expect(body).toEqual({
      session_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
      locale: 'en',
      flow: {
        name: 'Leaving Acme',
        branding: { primary_color: '#ff0000', logo_url: 'https://acme.example/l.svg' },
        entry_node: { key: 'start', type: 'start', config: { title: 'Before you go', body: expect.any(String) } },
      },
    });
    expect(await sessionsOf(acme)).toMatchObject([
      {
        session_id: body.session_id,
        flow_id: flow.id,
        flow_version: 1,
        status: 'in_progress',
        current_node_key: 'start',
      },
    ]);
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  it('keeps what the site tells of the customer', async () => {
    const flow = await acme.publishedFlow();
    const customer = {
      id: 'cus_1',
      email: 'ada@example.com',
      attributes: { plan: 'pro', seats: 3, trial: false, coupon: null },
    };
    expect((await init({ flow_slug: flow.slug, customer })).status).toBe(201);
    expect(await sessionsOf(acme)).toMatchObject([
      { customer_id: 'cus_1', customer: { email: 'ada@example.com', attributes: customer.attributes } },
    ]);
  });

  it('goes from draft to published, started, full, archived as the interface says', async () => {
    acme = await service.workspace({ session_limit: 1 });
    const flow = await acme.flow();
    const cancellation_url = 'https://acme.example/cancel';

    const draft = await init({ flow_slug: flow.slug });
    expect([draft.status, draft.body.code]).toEqual([404, 'flow_not_published']);
    expect(draft.body).not.toHaveProperty('cancellation_url');

    await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' });
    expect((await init({ flow_slug: flow.slug })).status).toBe(201);
    expect((await acme.usage()).sessions_used).toBe(1);

    const full = await init({ flow_slug: flow.slug });
    expect([full.status, full.body]).toEqual([
      403,
      expect.objectContaining({ code: 'session_limit_reached', cancellation_url }),
    ]);

    await acme.client.delete(`${FLOWS}/${flow.id}`);
    const archived = await init({ flow_slug: flow.slug });
    expect([archived.status, archived.body]).toEqual([
      404,
      expect.objectContaining({ code: 'flow_not_published', cancellation_url }),
    ]);
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  it('answers 404 for a slug that no flow has', async () => {
    const { status, body } = await init({ flow_slug: 'never-heard-of-it' });
    expect([status, body.code]).toEqual([404, 'flow_not_found']);
    expect(body).not.toHaveProperty('cancellation_url');
  });

  it('follows the settings of the workspace and the status of the flow from the next start on', async () => {
    const flow = await acme.publishedFlow();
    const start = () => init({ flow_slug: flow.slug }, { origin: 'https://acme.example' });
    expect((await start()).status).toBe(201);
    await acme.client.put('/api/v1/public/workspace', { primary_color: '#00ff00' });
    expect((await start()).body.flow.branding.primary_color).toBe('#00ff00');
    await acme.client.put('/api/v1/public/workspace', { allowed_origins: ['https://other.example'] });
    expect((await start()).status).toBe(403);
    await acme.client.put('/api/v1/public/workspace', { allowed_origins: [] });
    expect((await start()).status).toBe(201);
    await acme.client.delete(`${FLOWS}/${flow.id}`);
    expect((await start()).status).toBe(404);
    expect(await sessionsOf(acme)).toHaveLength(3);
  });

  it('shows a new name in the next session and leaves the sessions before on their version', async () => {
    const flow = await acme.publishedFlow();
    const before = (await init({ flow_slug: flow.slug })).body;
    await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed' });
    const after = (await init({ flow_slug: flow.slug })).body;
    expect([before.flow.name, after.flow.name]).toEqual(['Leaving Acme', 'Renamed']);
    const versions = Object.fromEntries(
      (await sessionsOf(acme)).map(({ session_id, flow_version }) => [session_id, flow_version]),
    );
    expect(versions).toEqual({ [before.session_id]: 1, [after.session_id]: 2 });
    expect(
      await service.database.query('SELECT version, name FROM flow_versions WHERE flow_id = $1 ORDER BY version', [
        flow.id,
      ]),
    ).toEqual([
      { version: 1, name: 'Leaving Acme' },
      { version: 2, name: 'Renamed' },
    ]);
  });

  it.each([
    ['no body', undefined, ''],
    ['a list', [], ''],
    ['no flow_slug', {}, '/flow_slug'],
    ['a flow_slug that is no text', { flow_slug: 1 }, '/flow_slug'],
    ['an unknown field', { flow_slug: 'x', session_id: 'y' }, '/session_id'],
    ['a customer without an id', { flow_slug: 'x', customer: {} }, '/customer/id'],
    // URLs drop them from a path, so nobody could erase that customer.
    ['a customer called .', { flow_slug: 'x', customer: { id: '.' } }, '/customer/id'],
    ['a customer called ..', { flow_slug: 'x', customer: { id: '..' } }, '/customer/id'],
    ['a list of customers', { flow_slug: 'x', customer: [{ id: 'a' }] }, '/customer'],
    ['an e-mail that is none', { flow_slug: 'x', customer: { id: 'a', email: 'a@' } }, '/customer/email'],
    [
      'attributes in attributes',
      { flow_slug: 'x', customer: { id: 'a', attributes: { b: {} } } },
      '/customer/attributes',
    ],
    [
      'NUL in an attribute',
      { flow_slug: 'x', customer: { id: 'a', attributes: { b: '\0' } } },
      '/customer/attributes/b',
    ],
  ])('refuses %s with the pointer to it', async (_, body, pointer) => {
    const { status, body: problem } = await init(body as object);
    expect(status).toBe(400);
    if (pointer) expect(problem.errors[0].pointer).toBe(pointer);
    expect(await sessionsOf(acme)).toEqual([]);
  });

  it('goes on while the flow is edited again and again', async () => {
    acme = await service.workspace({ session_limit: 1_000_000 });
    const flow = await acme.publishedFlow();
    const edits = Array.from({ length: 60 }, (_, edit) => ({ name: `Leaving ${edit}` }));
    const statuses = new Set<number>();
    const starts = [1, 2, 3, 4].map(async () => {
      while (edits.length > 0) statuses.add((await init({ flow_slug: flow.slug })).status);
    });
    for (let edit = edits.pop(); edit; edit = edits.pop()) {
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, edit)).status).toBe(200);
    }
    await Promise.all(starts);
    expect(statuses).toEqual(new Set([201]));
    expect((await acme.usage()).sessions_used).toBe((await sessionsOf(acme)).length);
  });

  describe('the session limit', () => {
    it('admits exactly as many as the limit, however many ask at once', async () => {
      acme = await service.workspace({ session_limit: 80 });
      const flow = await acme.publishedFlow();
      const answers = await Promise.all(Array.from({ length: 200 }, () => init({ flow_slug: flow.slug })));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(80);
      expect(statuses.filter((status) => status === 403)).toHaveLength(120);
      expect((await acme.usage()).sessions_used).toBe(80);
      expect(await sessionsOf(acme)).toHaveLength(80);
      expect(new Set(answers.flatMap(({ body }) => body.session_id ?? [])).size).toBe(80);
    });

    it('holds exactly when two processes start sessions, with and without keys', async () => {
      const other = await Service.start();
      try {
        acme = await service.workspace({ session_limit: 60 });
        const flow = await acme.publishedFlow();
        const keys = Array.from({ length: 30 }, () => randomUUID());
        const starts = [service, other].flatMap((one) => [
          ...keys.map((key) => one.client.post(INIT, { flow_slug: flow.slug }, { 'idempotency-key': key })),
          ...Array.from({ length: 60 }, () => one.client.post(INIT, { flow_slug: flow.slug })),
        ]);
        const admitted = (await Promise.all(starts)).filter(({ status }) => status === 201);
        const sessions = new Set(admitted.map(({ body }) => body.session_id as string));
        expect(sessions.size).toBe(60);
        expect(await sessionsOf(acme)).toHaveLength(60);
        expect((await acme.usage()).sessions_used).toBe(60);
      } finally {
        await other.stop();
      }
    });

    it('waits for whoever holds the row of the workspace', async () => {
      const flow = await acme.publishedFlow();
      await connected(workerDatabaseUrl(), async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [acme.id]);
        const started = init({ flow_slug: flow.slug });
        await untilBlocking(client);
        expect(await sessionsOf(acme)).toEqual([]);
        await client.query('COMMIT');
        expect((await started).status).toBe(201);
      });
    });

    it('can be raised at once, and lowered below what is used', async () => {
      acme = await service.workspace({ session_limit: 0 });
      const flow = await acme.publishedFlow();
      const setLimit = (session_limit: number) =>
        service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit });
      expect((await init({ flow_slug: flow.slug })).status).toBe(403);
      await setLimit(2);
      expect((await init({ flow_slug: flow.slug })).status).toBe(201);
      expect((await init({ flow_slug: flow.slug })).status).toBe(201);
      await setLimit(1);
      expect((await init({ flow_slug: flow.slug })).status).toBe(403);
      expect(await acme.usage()).toMatchObject({ session_limit: 1, sessions_used: 2 });
    });

    it('starts again with the month, and its count never runs backwards', async () => {
      acme = await service.workspace({ session_limit: 1 });
      const flow = await acme.publishedFlow();
      expect((await init({ flow_slug: flow.slug })).status).toBe(201);
      expect((await init({ flow_slug: flow.slug })).status).toBe(403);

      const month = await acme.usage();
      await service.endMonth(acme);
      expect(await acme.usage()).toEqual({ ...month, sessions_used: 0 });
      expect((await init({ flow_slug: flow.slug })).status).toBe(201);
      expect((await init({ flow_slug: flow.slug })).status).toBe(403);
      expect(await acme.usage()).toEqual({ ...month, sessions_used: 1 });

      // As it is for a database whose clock is behind the one that it took over from.
      await service.endMonth(acme, -2);
      const next = await acme.usage();
      expect(next).toMatchObject({ sessions_used: 1, period_start: month.period_end });
      expect((await init({ flow_slug: flow.slug })).status).toBe(403);
      expect(await acme.usage()).toEqual(next);
    });
  });

  describe('Idempotency-Key', () => {
    const withKey = (key: string = randomUUID()) => ({ 'idempotency-key': key });

    it('gives the same session again, counted once', async () => {
      const flow = await acme.publishedFlow();
      const request = { flow_slug: flow.slug, customer: { id: 'cus_1' } };
      const headers = withKey();
      const answers = await Promise.all([1, 2, 3].map(() => init(request, headers)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers[1].body).toEqual(answers[0].body);
      expect(answers[2].body).toEqual(answers[0].body);
      expect(await sessionsOf(acme)).toHaveLength(1);
      expect((await acme.usage()).sessions_used).toBe(1);
    });

    it('takes a request whose keys are in another order for the same', async () => {
      const flow_slug = (await acme.publishedFlow()).slug;
      const headers = withKey();
      const first = await init({ flow_slug, customer: { id: 'cus_1', attributes: { a: 1, b: 2 } } }, headers);
      const again = await init({ customer: { attributes: { b: 2, a: 1 }, id: 'cus_1' }, flow_slug }, headers);
      expect([again.status, again.body]).toEqual([201, first.body]);
    });

    it('holds ahead of every other check: limit, status, version', async () => {
      acme = await service.workspace({ session_limit: 1 });
      const flow = await acme.publishedFlow();
      const headers = withKey();
      const first = await init({ flow_slug: flow.slug }, headers);
      await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed', status: 'archived' });
      const again = await init({ flow_slug: flow.slug }, headers);
      expect(again.status).toBe(201);
      expect(again.body).toEqual(first.body);
    });

    it('is refused with 422 when it comes with another request', async () => {
      const flow = await acme.publishedFlow();
      const headers = withKey();
      expect((await init({ flow_slug: flow.slug }, headers)).status).toBe(201);
      const { status, body } = await init({ flow_slug: flow.slug, customer: { id: 'cus_1' } }, headers);
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
      expect((await acme.usage()).sessions_used).toBe(1);
    });

    it('belongs to a workspace: another may use the same', async () => {
      const other = await service.workspace();
      const [flow, otherFlow] = [await acme.publishedFlow(), await other.publishedFlow()];
      const headers = withKey();
      const first = await init({ flow_slug: flow.slug }, headers);
      const second = await init({ flow_slug: otherFlow.slug }, headers);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.session_id).not.toBe(first.body.session_id);
    });

    it('is not used up by a refusal', async () => {
      const flow = await acme.flow();
      const headers = withKey();
      expect((await init({ flow_slug: flow.slug }, headers)).status).toBe(404);
      await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' });
      expect((await init({ flow_slug: flow.slug }, headers)).status).toBe(201);
    });

    it.each(['too-short', 'x'.repeat(256), 'é'.repeat(16)])(
      'must be 16 to 255 printable characters, unlike %s',
      async (key) => {
        const flow = await acme.publishedFlow();
        const { status, body } = await init({ flow_slug: flow.slug }, withKey(key));
        expect(status).toBe(400);
        expect(body.errors[0].header).toBe('Idempotency-Key');
      },
    );

    it('must come once: twice is 400, and no session starts', async () => {
      const { slug } = await acme.publishedFlow();
      const headers = { 'content-type': 'application/json', 'idempotency-key': [randomUUID(), randomUUID()] };
      const request = http.request(service.client.baseUrl + INIT, { method: 'POST', headers });
      const [response] = (await once(request.end(JSON.stringify({ flow_slug: slug })), 'response')) as [
        http.IncomingMessage,
      ];
      expect(response.statusCode).toBe(400);
      expect(await json(response)).toMatchObject({
        errors: [{ header: 'Idempotency-Key', message: 'must be sent once' }],
      });
      expect(await sessionsOf(acme)).toEqual([]);
    });
  });

  describe('allowed_origins', () => {
    it('lets pages of these origins and requests without one start sessions, and nobody else', async () => {
      acme = await service.workspace({ allowed_origins: ['https://acme.example', 'http://localhost:8080'] });
      const flow = await acme.publishedFlow();
      const from = async (origin?: string) => (await init({ flow_slug: flow.slug }, origin ? { origin } : {})).status;
      expect(await from('https://acme.example')).toBe(201);
      expect(await from('http://localhost:8080')).toBe(201);
      expect(await from()).toBe(201);
      expect(await from('https://acme.example.evil.example')).toBe(403);
      expect(await from('null')).toBe(403);
      expect((await acme.usage()).sessions_used).toBe(3);
    });

    it('tells the refused page where to let the customer go', async () => {
      acme = await service.workspace({ allowed_origins: ['https://acme.example'] });
      const flow = await acme.publishedFlow();
      const { status, headers, body } = await init({ flow_slug: flow.slug }, { origin: 'https://evil.example' });
      expect(status).toBe(403);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body).toMatchObject({ code: 'origin_not_allowed', cancellation_url: 'https://acme.example/cancel' });
    });

    it('lets pages in apps start sessions whose origins it has', async () => {
      acme = await service.workspace({ allowed_origins: ['capacitor://localhost', 'app://acme'] });
      const { slug } = await acme.publishedFlow();
      const from = async (origin: string) => (await init({ flow_slug: slug }, { origin })).status;
      expect([await from('capacitor://localhost'), await from('app://acme')]).toEqual([201, 201]);
      expect([await from('ionic://localhost'), await from('app://acme2')]).toEqual([403, 403]);
    });

    it('lets every origin in when there are none', async () => {
      const flow = await acme.publishedFlow();
      expect((await init({ flow_slug: flow.slug }, { origin: 'https://anywhere.example' })).status).toBe(201);
    });
  });
});
