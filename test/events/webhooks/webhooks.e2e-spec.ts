import { randomUUID } from 'node:crypto';
import { SUBSCRIBABLE_TYPES } from '../../../src/outbox/event-types';
import { record } from '../../support/events';
import { Service, serviceForAll, workspaceForEach } from '../../support/service';

const WEBHOOKS = '/api/v1/public/webhooks';
const URL = 'https://acme.example/webhooks/retention';

describe('Webhooks', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const create = async (fields: object = {}): Promise<{ id: string; url: string; secret: string }> =>
    (await acme.client.post(WEBHOOKS, { url: URL, ...fields })).body;
  const read = async (id: string) => (await acme.client.get(`${WEBHOOKS}/${id}`)).body;
  const list = async (query = '') => (await acme.client.get(WEBHOOKS + query)).body;
  const row = async (id: string) => {
    const [found] = await service.database.query('SELECT * FROM webhooks WHERE workspace_id = $1 AND id = $2', [
      acme.id,
      id,
    ]);
    return found;
  };
  const startsAreEvents = async () => {
    const [found] = await service.database.query<{ starts_are_events: boolean }[]>(
      'SELECT starts_are_events FROM workspaces WHERE id = $1',
      [acme.id],
    );
    return found.starts_are_events;
  };

  describe('POST /api/v1/public/webhooks', () => {
    it('creates an enabled webhook for all but session.started, and shows its secret only here', async () => {
      const { status, headers, body } = await acme.client.post(WEBHOOKS, { url: URL });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), url: URL, secret: expect.any(String) });
      expect(headers.get('location')).toBe(`${WEBHOOKS}/${body.id}`);
      expect(Buffer.from(body.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
      const webhook = await read(body.id);
      expect(webhook).toEqual({
        id: body.id,
        key: null,
        format: 'standard',
        url: URL,
        description: '',
        event_types: [],
        when: null,
        test_events: false,
        status: 'enabled',
        disabled_reason: null,
        failing_since: null,
        created_at: expect.any(String),
        updated_at: webhook.created_at,
      });
      expect(JSON.stringify([await list(), webhook])).not.toContain('whsec_');
    });

    it('stores every field, and gives every webhook a secret of its own', async () => {
      const fields = { event_types: [...SUBSCRIBABLE_TYPES], test_events: true, description: '💸'.repeat(5000) };
      const [one, other] = [await create(fields), await create({ url: `https://${'x'.repeat(2000)}.example/?a=b#c` })];
      expect(await read(one.id)).toMatchObject(fields);
      expect(one.secret).not.toBe(other.secret);
    });

    it.each([
      [{}, '/url'],
      [{ url: null }, '/url'],
      [{ url: '' }, '/url'],
      [{ url: 'acme.example' }, '/url'],
      [{ url: 'ftp://acme.example' }, '/url'],
      [{ url: 'https://user:password@acme.example' }, '/url'],
      [{ url: URL, event_types: null }, '/event_types'],
      [{ url: URL, event_types: 'session.saved' }, '/event_types'],
      [{ url: URL, event_types: ['session.ended'] }, '/event_types'],
      [{ url: URL, event_types: ['test'] }, '/event_types'],
      [{ url: URL, event_types: ['session.saved', 'session.saved'] }, '/event_types'],
      [{ url: URL, event_types: [['session.saved']] }, '/event_types'],
      [{ url: URL, description: null }, '/description'],
      [{ url: URL, status: 'disabled' }, '/status'],
      [{ url: URL, secret: 'whsec_AAAA' }, '/secret'],
    ])('refuses %j and points to %s', async (body, pointer) => {
      const answer = await acme.client.post(WEBHOOKS, body);
      expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
        400,
        [pointer],
      ]);
      expect((await list()).webhooks).toEqual([]);
    });

    it('refuses a URL of more than 2,048 characters and a description of more than 5,000', async () => {
      const body = { url: `https://acme.example/${'x'.repeat(2028)}`, description: 'x'.repeat(5001) };
      const answer = await acme.client.post(WEBHOOKS, body);
      expect(answer.status).toBe(400);
      const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer);
      expect(pointers.toSorted()).toEqual(['/description', '/url']);
    });

    it.each([
      'http://acme.example/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://10.1.2.3/',
      'https://192.168.0.1:8443/hook',
      'https://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://2130706433/',
      'https://0x7f.1/',
    ])('refuses %s, where nothing may be sent to, also as a change', async (url) => {
      const { id } = await create();
      for (const answer of [
        await acme.client.post(WEBHOOKS, { url }),
        await acme.client.put(`${WEBHOOKS}/${id}`, { url }),
      ]) {
        expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([400, '/url']);
      }
      expect((await list()).webhooks).toEqual([expect.objectContaining({ id, url: URL })]);
    });

    it('takes the private addresses that the operator allows', async () => {
      const open = await Service.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
      try {
        const { client } = await open.workspace();
        expect((await client.post(WEBHOOKS, { url: 'http://127.0.0.1:8080/' })).status).toBe(201);
        expect((await client.post(WEBHOOKS, { url: 'http://10.0.0.1/' })).status).toBe(400);
      } finally {
        await open.stop();
      }
    });

    it('creates exactly 10 of 16 that come at once, and refuses the others', async () => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => acme.client.post(WEBHOOKS, { url: URL })));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(answers.length - refused.length).toBe(10);
      for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'webhook_limit_reached']);
      const { webhooks } = await list();
      expect(webhooks).toHaveLength(10);
      await acme.client.delete(`${WEBHOOKS}/${webhooks[0].id}`);
      expect((await acme.client.post(WEBHOOKS, { url: URL })).status).toBe(201);
    });
  });

  describe('GET /api/v1/public/webhooks', () => {
    it('lists newest first, page by page', async () => {
      const ids = [await create(), await create(), await create()].map(({ id }) => id).toReversed();
      const { webhooks, next_cursor } = await list('?limit=2');
      const last = await list(`?limit=2&cursor=${next_cursor}`);
      expect([...webhooks, ...last.webhooks]).toEqual(await Promise.all(ids.map(read)));
      expect(last.next_cursor).toBeNull();
    });

    it.each(['limit=0', 'limit=501', 'cursor=x', 'status=enabled'])('refuses ?%s', async (query) => {
      const { status, body } = await acme.client.get(`${WEBHOOKS}?${query}`);
      expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
    });
  });

  describe('PUT /api/v1/public/webhooks/:id', () => {
    it.each(
      Object.entries({
        url: 'https://other.example/',
        event_types: ['flow.published'],
        test_events: true,
        description: 'Another',
        status: 'disabled',
      }),
    )('changes only %s (to %j)', async (field, value) => {
      const { id } = await create({ description: 'Before' });
      await service.letPass('1 day', acme);
      const before = await read(id);
      const { status, body } = await acme.client.put(`${WEBHOOKS}/${id}`, { [field]: value });
      expect([status, body]).toEqual([200, { updated: true, id }]);
      const after = await read(id);
      expect(after).toEqual({ ...before, [field]: value, updated_at: after.updated_at });
      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    });

    it('forgets the failures of a webhook that is enabled, and only then', async () => {
      const { id } = await create();
      await service.database.query(
        `UPDATE webhooks SET status = 'disabled', disabled_reason = 'It answered 410 Gone.', failures = 25,
          failing_since = created_at, next_probe_at = created_at WHERE workspace_id = $1`,
        [acme.id],
      );
      const failing = { disabled_reason: 'It answered 410 Gone.', failing_since: expect.any(String) };
      await acme.client.put(`${WEBHOOKS}/${id}`, { description: 'After', status: 'disabled' });
      expect(await read(id)).toMatchObject({ status: 'disabled', ...failing });
      await acme.client.put(`${WEBHOOKS}/${id}`, { status: 'enabled' });
      expect(await read(id)).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
      expect(await row(id)).toMatchObject({ failures: 0, next_probe_at: null });
    });

    it.each([
      [{}, ''],
      [{ url: null }, '/url'],
      [{ url: 'x' }, '/url'],
      [{ event_types: null }, '/event_types'],
      [{ event_types: ['session.started', 'session.started'] }, '/event_types'],
      [{ event_types: {} }, '/event_types'],
      [{ test_events: 1 }, '/test_events'],
      [{ description: 1 }, '/description'],
      [{ status: 'failing' }, '/status'],
      [{ status: null }, '/status'],
      [{ disabled_reason: null, status: 'enabled' }, '/disabled_reason'],
      [{ id: randomUUID() }, '/id'],
    ])('refuses %j, points to %j and changes nothing', async (changes, pointer) => {
      const { id } = await create();
      const before = await row(id);
      const { status, body } = await acme.client.put(`${WEBHOOKS}/${id}`, changes);
      expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
      expect(await row(id)).toEqual(before);
    });
  });

  describe('DELETE /api/v1/public/webhooks/:id', () => {
    it('deletes the webhook with its deliveries, more than a batch of them, and leaves the events and others alone', async () => {
      const [gone, other] = [await create(), await create()];
      const event = await record(service, acme);
      await service.database.query(
        `INSERT INTO events SELECT (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid()))).*
          FROM events event, generate_series(1, 2500) WHERE event.workspace_id = $1 AND event.id = $2`,
        [acme.id, event],
      );
      await service.database.query(
        `INSERT INTO deliveries (workspace_id, event_id, recipient_id, transport, status, attempts, created_at, updated_at)
          SELECT event.workspace_id, event.id, webhook.id, 'webhook', 'failed', 1, event.created_at, event.created_at
          FROM events event JOIN webhooks webhook USING (workspace_id) WHERE workspace_id = $1`,
        [acme.id],
      );
      const { status, body } = await acme.client.delete(`${WEBHOOKS}/${gone.id}`);
      expect([status, body]).toEqual([200, { deleted: true, id: gone.id }]);
      expect((await list()).webhooks).toEqual([expect.objectContaining({ id: other.id })]);
      const left = `SELECT recipient_id, count(*)::int FROM deliveries WHERE workspace_id = $1 GROUP BY recipient_id`;
      expect(await service.database.query(left, [acme.id])).toEqual([{ recipient_id: other.id, count: 2501 }]);
      expect((await acme.client.delete(`${WEBHOOKS}/${gone.id}`)).status).toBe(404);
    });
  });

  describe('Starts of sessions', () => {
    it('are events exactly while a webhook, enabled or not, names session.started', async () => {
      const all = await create();
      expect(await startsAreEvents()).toBe(false);

      const one = await create({ event_types: ['session.started'] });
      const other = await create({ event_types: ['session.saved', 'session.started'] });
      expect(await startsAreEvents()).toBe(true);

      await acme.client.put(`${WEBHOOKS}/${one.id}`, { event_types: ['session.saved'] });
      await acme.client.put(`${WEBHOOKS}/${other.id}`, { status: 'disabled' });
      expect(await startsAreEvents()).toBe(true);

      await acme.client.delete(`${WEBHOOKS}/${other.id}`);
      expect(await startsAreEvents()).toBe(false);

      await acme.client.put(`${WEBHOOKS}/${all.id}`, { event_types: ['session.started'] });
      await acme.client.put(`${WEBHOOKS}/${all.id}`, { description: 'Again' });
      expect(await startsAreEvents()).toBe(true);
    });

    it('are events as the last of many changes at once left it', async () => {
      const ids = [await create(), await create(), await create(), await create()].map(({ id }) => id);
      const types = [['session.started'], []];
      await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          acme.client.put(`${WEBHOOKS}/${ids[n % 4]}`, { event_types: types[(n * 7) % 2] }),
        ),
      );
      const { webhooks } = await list();
      const isNamed = webhooks.some((one: { event_types: string[] }) => one.event_types.includes('session.started'));
      expect(await startsAreEvents()).toBe(isNamed);
    });
  });

  describe('POST /api/v1/public/webhooks/:id/rotate-secret', () => {
    const rotate = (id: string, body: object = {}) => acme.client.post(`${WEBHOOKS}/${id}/rotate-secret`, body);
    const validFor = async (id: string) => {
      const [{ seconds }] = await service.database.query<{ seconds: string }[]>(
        `SELECT extract(epoch FROM previous_secret_expires_at - updated_at) AS seconds FROM webhooks
          WHERE workspace_id = $1 AND id = $2`,
        [acme.id, id],
      );
      return Math.round(Number(seconds));
    };

    it('gives a new secret, and keeps the previous one for a day', async () => {
      const created = await create();
      const { status, body } = await rotate(created.id);
      expect(status).toBe(200);
      expect(body).toEqual({ id: created.id, secret: expect.stringMatching(/^whsec_/) });
      expect(body.secret).not.toBe(created.secret);
      expect(await row(created.id)).toMatchObject({ secret: body.secret, previous_secret: created.secret });
      expect(await validFor(created.id)).toBe(24 * 60 * 60);
    });

    it('keeps it as long as it is asked to, and not at all with 0', async () => {
      const { id } = await create();
      await rotate(id, { previous_valid_for_seconds: 604_800 });
      expect(await validFor(id)).toBe(604_800);
      const { body } = await rotate(id, { previous_valid_for_seconds: 0 });
      expect(await row(id)).toMatchObject({
        secret: body.secret,
        previous_secret: null,
        previous_secret_expires_at: null,
      });
    });

    it.each([-1, 604_801, 1.5, '60', null])('refuses %j seconds and changes nothing', async (seconds) => {
      const { id } = await create();
      const before = await row(id);
      const { status, body } = await rotate(id, { previous_valid_for_seconds: seconds });
      expect([status, body.errors[0].pointer]).toEqual([400, '/previous_valid_for_seconds']);
      expect(await row(id)).toEqual(before);
    });
  });

  it('can be read, and nothing more, with a key that may only read', async () => {
    const { id } = await create();
    const event = await record(service, acme);
    const { body } = await acme.client.post('/api/v1/public/api-keys', { name: 'Reader', access: 'read' });
    const reader = service.client.with(body.key);
    const events = '/api/v1/public/events';
    for (const path of [WEBHOOKS, `${WEBHOOKS}/${id}`, `${WEBHOOKS}/${id}/deliveries`, events, `${events}/${event}`]) {
      expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
    }
    for (const answer of [
      await reader.post(WEBHOOKS, { url: URL }),
      await reader.put(`${WEBHOOKS}/${id}`, { status: 'disabled' }),
      await reader.delete(`${WEBHOOKS}/${id}`),
      await reader.post(`${WEBHOOKS}/${id}/rotate-secret`, {}),
      await reader.send('POST', `${WEBHOOKS}/${id}/test`),
      await reader.post(`${WEBHOOKS}/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
      await reader.send('POST', `${events}/${event}/redeliver`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
    }
  });
});
