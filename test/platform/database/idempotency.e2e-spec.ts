import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { Retention } from '../../../src/privacy/retention.service';
import type { Answer, Client } from '../../support/client';
import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import { ADMIN_API_KEY } from '../../support/environment';
import { Service, Tenant } from '../../support/service';

const PUBLIC = '/api/v1/public';
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; responses: object }>>;
}

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const creations = Object.entries(paths).flatMap(([path, { post }]) =>
  // One that is 200 when it was there before has an id of the client's own, and needs no key.
  post && '201' in post.responses && !('200' in post.responses) && !path.startsWith('/api/v1/runtime/')
    ? [{ name: `POST ${path}`, path, post }]
    : [],
);

interface Body {
  /** undefined: it takes none. */
  body: object | undefined;
  /** Another that it takes, if it takes any. */
  other?: object;
  /** What is created. */
  table: string;
}

/** What each creation is sent. A new one has to be added here. */
const BODIES: Record<string, Body> = {
  'POST /api/v1/public/offers': {
    body: { name: 'Half price', offer_type: 'custom' },
    other: { name: 'Half price', offer_type: 'discount_fixed' },
    table: 'offers',
  },
  'POST /api/v1/public/audiences': {
    body: { name: 'Loyal', when: { all: [{ fact: 'months', is: '>=', value: 12 }] } },
    other: { name: 'Loyal', when: { all: [{ fact: 'months', is: '>=', value: 6 }] } },
    table: 'audiences',
  },
  'POST /api/v1/public/flows': {
    body: { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' },
    other: { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/leave' },
    table: 'flows',
  },
  'POST /api/v1/public/flows/{id}/preview': {
    body: {},
    other: { customer: { attributes: { plan: 'pro' } } },
    table: 'previews',
  },
  'POST /api/v1/public/webhooks': {
    body: { url: 'https://acme.example/events' },
    other: { url: 'https://acme.example/other' },
    table: 'webhooks',
  },
  'POST /api/v1/public/api-keys': {
    body: { name: 'Billing', access: 'read' },
    other: { name: 'Billing', access: 'write' },
    table: 'api_keys',
  },
  'POST /api/v1/public/customer-keys': {
    body: { name: 'Pages', algorithm: 'HS256' },
    other: { name: 'Page', algorithm: 'HS256' },
    table: 'customer_keys',
  },
  'POST /api/v1/public/workspace/test': { body: undefined, table: 'workspaces' },
  'POST /api/v1/admin/workspaces': {
    body: { name: 'Initech' },
    other: { name: 'Initech', session_limit: 1 },
    table: 'workspaces',
  },
  'POST /api/v1/admin/workspaces/{id}/api-keys': {
    body: { name: 'Support' },
    other: { name: 'Support', access: 'read' },
    table: 'api_keys',
  },
};

/** A new one replaces an earlier one of the same address, so they are no more than before: tested with people. */
const REPLACING = ['POST /api/v1/admin/workspaces/{id}/invitations', 'POST /api/v1/public/invitations'];

/** A key that may only read may preview. */
const FOR_READERS = 'POST /api/v1/public/flows/{id}/preview';

const withKey = (key: string) => ({ 'idempotency-key': key });
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('Idempotency-Key', () => {
  let service: Service;
  let other: Service;
  let acme: Tenant;
  let flowId: string;
  let key: string;

  beforeAll(async () => {
    [service, other] = await Promise.all([Service.start(), Service.start()]);
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
    flowId = (await acme.flow()).id;
    key = randomUUID();
  });

  const post = (path: string, body: object | undefined, headers: Record<string, string>, client = acme.client) =>
    body ? client.post(path, body, headers) : client.send('POST', path, { headers });

  /** A creation, as it is sent in the workspace of the test. */
  function creation(name: string) {
    const { body, table } = BODIES[name];
    const isOperators = name.includes('/admin/');
    const path = name.slice('POST '.length).replace('{id}', isOperators ? acme.id : flowId);
    const clientOf = (one: Service): Client => (isOperators ? one.operator : one.client.with(acme.key));
    const count = async (): Promise<number> => {
      const where = table === 'workspaces' ? '' : `WHERE workspace_id = '${acme.id}'`;
      return (await service.database.query(`SELECT count(*)::int AS count FROM ${table} ${where}`))[0].count;
    };
    const send = (headers: Record<string, string>, one = service, changed = body) =>
      post(path, changed, headers, clientOf(one));
    return { path, count, send };
  }

  const keysOf = (workspaceId: string): Promise<{ hash: Buffer; request_hash: Buffer; answer: Buffer | null }[]> =>
    service.database.query('SELECT * FROM idempotency_keys WHERE workspace_id = $1', [workspaceId]);

  it('is a header of every creation of the management and operator interfaces', () => {
    expect(creations.map(({ name }) => name).toSorted()).toEqual([...Object.keys(BODIES), ...REPLACING].toSorted());
    const lacking = creations.filter(
      ({ post: { parameters = [], responses } }) =>
        !parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key') ||
        !('422' in responses),
    );
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });

  describe.each(Object.keys(BODIES))('%s', (name) => {
    it('gives the same answer again, with its secrets and Location, and creates one', async () => {
      const { send, count } = creation(name);
      const before = await count();
      const first = await send(withKey(key));
      expect(first.status).toBe(201);
      for (const one of [service, other]) {
        const again = await send(withKey(key), one);
        expect([again.status, again.body]).toEqual([201, first.body]);
        expect(again.headers.get('location')).toBe(first.headers.get('location'));
      }
      expect(await count()).toBe(before + 1);
    });

    it('creates one, however many ask at once, in two processes', async () => {
      const { send, count } = creation(name);
      const before = await count();
      const sent = Array.from({ length: 16 }, (_, n) => send(withKey(key), n % 2 ? service : other));
      const answers = await Promise.all(sent);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await count()).toBe(before + 1);
    });

    it('creates another under another key, and without one', async () => {
      const { send, count } = creation(name);
      const before = await count();
      for (const headers of [withKey(key), withKey(randomUUID()), {}, {}]) {
        expect((await send(headers)).status).toBe(201);
      }
      expect(await count()).toBe(before + 4);
    });

    it('counts a key as new after 24 hours', async () => {
      const { send, count } = creation(name);
      const before = await count();
      const first = await send(withKey(key));
      const age = (interval: string) =>
        service.database.query(`UPDATE idempotency_keys SET created_at = created_at - $1::interval`, [interval]);
      await age('23 hours 59 minutes');
      expect((await send(withKey(key))).body).toEqual(first.body);
      await age('1 minute');
      const anew = await send(withKey(key));
      expect(anew.status).toBe(201);
      expect(anew.body).not.toEqual(first.body);
      expect((await send(withKey(key))).body).toEqual(anew.body);
      expect(await count()).toBe(before + 2);
    });

    it('takes a key of 16 to 255 printable characters, sent once', async () => {
      const { send, count, path } = creation(name);
      const before = await count();
      for (const bad of ['', 'too-short', 'x'.repeat(256), 'é'.repeat(16)]) {
        const { status, body } = await send(withKey(bad));
        expect([status, body.errors]).toEqual([
          400,
          [{ header: 'Idempotency-Key', message: 'must be 16 to 255 printable ASCII characters' }],
        ]);
      }
      const { body } = BODIES[name];
      const headers = {
        authorization: `Bearer ${name.includes('/admin/') ? ADMIN_API_KEY : acme.key}`,
        ...(body && { 'content-type': 'application/json' }),
        'idempotency-key': [key, randomUUID()],
      };
      const twice = http.request(service.client.baseUrl + path, { method: 'POST', headers });
      const [response] = (await once(twice.end(body && JSON.stringify(body)), 'response')) as [http.IncomingMessage];
      expect([response.statusCode, await json(response)]).toMatchObject([
        400,
        { errors: [{ header: 'Idempotency-Key', message: 'must be sent once' }] },
      ]);
      expect(await count()).toBe(before);
      expect((await send(withKey('x'.repeat(255)))).status).toBe(201);
    });

    it('leaves neither the key nor a secret in the table', async () => {
      const { body } = await creation(name).send(withKey(key));
      const rows = await keysOf(name.includes('/admin/') ? NO_WORKSPACE : acme.id);
      expect(rows.length).toBeGreaterThan(0);
      const bytes = Buffer.concat(rows.flatMap((row) => [row.hash, row.request_hash, row.answer!]));
      const secrets = [key, body.id, body.key, body.api_key?.key, body.secret, body.session_id].filter(Boolean);
      expect(secrets.length).toBeGreaterThan(1);
      expect(secrets.filter((secret: string) => bytes.includes(secret))).toEqual([]);
    });
  });

  describe.each(Object.keys(BODIES).filter((name) => BODIES[name].other))('%s', (name) => {
    it('refuses another body under the key, and takes it under another', async () => {
      const body = BODIES[name].other;
      const { send, count } = creation(name);
      await send(withKey(key));
      const before = await count();
      expect(codeOf(await send(withKey(key), other, body))).toEqual([422, 'idempotency_key_reused']);
      expect(await count()).toBe(before);
      expect((await send(withKey(randomUUID()), other, body)).status).toBe(201);
      expect((await send(withKey(key))).status).toBe(201);
      expect(await count()).toBe(before + 1);
    });
  });

  const ofWorkspaces = Object.keys(BODIES).filter((name) => name.includes('/public/'));

  describe.each(ofWorkspaces)('%s', (name) => {
    it('has keys of its workspace: another may use the same', async () => {
      const first = await creation(name).send(withKey(key));
      acme = await service.workspace();
      flowId = (await acme.flow()).id;
      const second = await creation(name).send(withKey(key));
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).not.toEqual(first.body);
    });
  });

  describe.each(ofWorkspaces.filter((name) => name !== FOR_READERS))('%s', (name) => {
    it('is 403 to a key that may only read, whatever the header, also if its answer is stored', async () => {
      const { send, path } = creation(name);
      await send(withKey(key));
      const { body } = await acme.client.post(`${PUBLIC}/api-keys`, { name: 'Reader', access: 'read' });
      for (const sent of [key, 'too-short']) {
        const refused = await post(path, BODIES[name].body, withKey(sent), service.client.with(body.key));
        expect(codeOf(refused)).toEqual([403, 'insufficient_scope']);
      }
    });
  });

  it('belongs to the workspace: another of its API keys gets the answer too', async () => {
    const { send, path } = creation('POST /api/v1/public/webhooks');
    const first = await send(withKey(key));
    const { body } = await acme.client.post(`${PUBLIC}/api-keys`, { name: 'Second' });
    const again = await post(
      path,
      BODIES['POST /api/v1/public/webhooks'].body,
      withKey(key),
      service.client.with(body.key),
    );
    expect(again.body).toEqual(first.body);
  });

  it('is 422 on another route', async () => {
    await creation('POST /api/v1/public/offers').send(withKey(key));
    const name = 'POST /api/v1/public/webhooks';
    expect(codeOf(await creation(name).send(withKey(key)))).toEqual([422, 'idempotency_key_reused']);
    expect(await creation(name).count()).toBe(0);
  });

  it('is 422 for the same of something else', async () => {
    const preview = (id: string) =>
      acme.client.send('POST', `${PUBLIC}/flows/${id}/preview`, { headers: withKey(key) });
    expect((await preview(flowId)).status).toBe(201);
    expect(codeOf(await preview((await acme.flow()).id))).toEqual([422, 'idempotency_key_reused']);
    const issue = (id: string) =>
      service.operator.post(`/api/v1/admin/workspaces/${id}/api-keys`, { name: 'Support' }, withKey(key));
    expect((await issue(acme.id)).status).toBe(201);
    expect(codeOf(await issue((await service.workspace()).id))).toEqual([422, 'idempotency_key_reused']);
  });

  it('takes a request whose fields are in another order for the same', async () => {
    const create = (body: object) => acme.client.post(`${PUBLIC}/offers`, body, withKey(key));
    const first = await create({ name: 'Half price', offer_type: 'custom' });
    expect((await create({ offer_type: 'custom', name: 'Half price' })).body).toEqual(first.body);
    expect((await create({ offer_type: 'custom', name: 'Half  price' })).status).toBe(422);
  });

  it('is not used up by an error: the corrected request may have the same key', async () => {
    const flow = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const create = (body: object) => acme.client.post(`${PUBLIC}/flows`, body, withKey(key));
    expect((await create({ ...flow, name: '' })).status).toBe(400);
    expect((await create({ ...flow, offer_ids: [randomUUID()] })).status).toBe(400);
    expect(await keysOf(acme.id)).toEqual([]);
    const created = await create(flow);
    expect(created.status).toBe(201);
    expect((await create(flow)).body).toEqual(created.body);
    expect((await acme.client.get(`${PUBLIC}/flows`)).body.flows).toHaveLength(2);
  });

  it.each([
    ['POST /api/v1/public/webhooks', 'webhook_limit_reached'],
    ['POST /api/v1/public/customer-keys', 'customer_key_limit_reached'],
  ])('counts once against the limit: %s', async (name, code) => {
    const { send, count, path } = creation(name);
    for (let n = 1; n < 10; n++) expect((await send({})).status).toBe(201);
    const tenth = await send(withKey(key));
    expect(tenth.status).toBe(201);
    expect((await send(withKey(key))).body).toEqual(tenth.body);
    const late = withKey(randomUUID());
    expect(codeOf(await send(late))).toEqual([409, code]);
    await acme.client.delete(`${path}/${tenth.body.id}`);
    expect((await send(late)).status).toBe(201);
    // It tells what was answered, not what is there now.
    expect((await send(withKey(key))).body).toEqual(tenth.body);
    expect(await count()).toBe(10);
  });

  it('gives the answer although what was asked for has become impossible', async () => {
    const expires_at = '2099-01-01T00:00:00Z';
    const create = (one = service) =>
      one.client.with(acme.key).post(`${PUBLIC}/api-keys`, { name: 'Short', expires_at }, withKey(key));
    const first = await create();
    await service.database.query(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, [first.body.id]);
    expect((await create(other)).body).toEqual(first.body);
  });

  it('leaves nothing of a request that died half-way, and serves its repeat', async () => {
    const { send, count } = creation('POST /api/v1/public/webhooks');
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [acme.id]);
      const cut = send(withKey(key));
      await untilBlocking(client);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))',
      );
      expect((await cut).status).toBe(503);
      await client.query('COMMIT');
    });
    expect([await count(), await keysOf(acme.id)]).toEqual([0, []]);
    expect((await send(withKey(key))).status).toBe(201);
    expect(await count()).toBe(1);
  });

  it('waits for a request under way in another process, and gives its answer', async () => {
    const { send, count } = creation('POST /api/v1/public/webhooks');
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [acme.id]);
      const first = send(withKey(key));
      await untilBlocking(client);
      const second = send(withKey(key), other);
      const behindIt = `SELECT FROM pg_locks WHERE pg_blocking_pids(pid) && ARRAY(
        SELECT pid FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)))`;
      while ((await client.query(behindIt)).rows.length === 0);
      await client.query('COMMIT');
      expect((await second).body).toEqual((await first).body);
    });
    expect(await count()).toBe(1);
  });

  it('leaves connections for all other workspaces, however many wait for one creation', async () => {
    const { send, count } = creation('POST /api/v1/public/webhooks');
    const neighbour = await service.workspace();
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [acme.id]);
      const sent = Array.from({ length: 60 }, () => send(withKey(key)));
      await untilBlocking(client);
      expect((await neighbour.client.get(`${PUBLIC}/flows`)).status).toBe(200);
      expect((await neighbour.client.post(`${PUBLIC}/offers`, { name: 'A', offer_type: 'custom' })).status).toBe(201);
      await client.query('COMMIT');
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201));
    });
    expect(await count()).toBe(1);
  });

  it('is deleted after 24 hours, and no sooner', async () => {
    const { send } = creation('POST /api/v1/public/offers');
    await send(withKey(key));
    await service.letPass('24 hours', acme);
    await send(withKey(randomUUID()));
    await service.letPass('1 minute', acme);
    expect(await keysOf(acme.id)).toHaveLength(2);
    await service.app.get(Retention).deleteOld();
    expect(await keysOf(acme.id)).toHaveLength(1);
  });
});
