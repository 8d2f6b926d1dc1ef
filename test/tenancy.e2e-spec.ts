import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocument } from '../src/app/openapi/document';
import { Answer, Client } from './support/client';
import { record } from './support/events';
import { png } from './support/pictures';
import { type Service, serviceForAll, type Tenant, workspaceForEach } from './support/service';

/**
 * What anybody may call without a key, or with a token or the id of a session, which is one. What is added is open to
 * the world.
 */
const PUBLIC = [
  'POST /api/v1/runtime/exit/{slug}',
  'POST /api/v1/runtime/session/init',
  'GET /api/v1/runtime/session/{id}',
  'POST /api/v1/runtime/session/{id}/step',
  'POST /api/v1/runtime/preview/{id}/restart',
  'GET /api/v1/auth',
  'POST /api/v1/auth/session',
  'POST /api/v1/auth/setup',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/invitation',
  'POST /api/v1/auth/invitation/accept',
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
];

/** What is served beside the interface, to people and machines that read about it. */
const NOT_IN_THE_DOCUMENT = [
  'GET /',
  'GET /api/v1/auth/openid',
  'GET /api/v1/auth/openid/callback',
  'GET /config.schema.json',
  'GET /console',
  'GET /console/',
  'GET /console/chunk.js',
  'GET /console/console.css',
  'GET /console/console.js',
  'GET /console/editor.js',
  'GET /console/icon.svg',
  'GET /demo',
  'GET /demo/canceled',
  'GET /demo/demo.css',
  'GET /demo/demo.js',
  'GET /demo/logo.svg',
  'GET /docs',
  'GET /docs/',
  'GET /docs/docs.css',
  'GET /docs/docs.js',
  'GET /docs/favicon-32x32.png',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui.css',
  'GET /exit/{slug}',
  'GET /exit/{slug}/confirm/{key}',
  'GET /exit/{slug}/receipt/{file}',
  'GET /images/{id}',
  'GET /leave/leave.js',
  'GET /leave/{slug}',
  'GET /openapi.json',
  'GET /preview',
  'GET /preview/preview.css',
  'GET /preview/preview.js',
  'GET /start/start.css',
  'GET /widget/v1.<hash>.js',
  'GET /widget/v1.<hash>.mjs',
  'GET /widget/v1.d.ts',
  'GET /widget/v1.js',
  'GET /widget/v1.json',
  'GET /widget/v1.mjs',
  'POST /api/v1/billing/{provider}/webhook/{workspace}',
  'POST /exit/{slug}',
  'POST /exit/{slug}/confirm/{key}',
];

interface Resource {
  create: (tenant: Tenant, service: Service) => Promise<{ id: string }>;
  /** A body that every PUT and POST to one takes. */
  change: object;
  /** Whether its list has no pages. */
  isWhole?: true;
  /** Bodies of routes that take another one, by the end of their path; undefined for none. */
  changes?: Record<string, object | undefined>;
}

/** Whatever a workspace names by its id, by the path of its list. */
const RESOURCES: Record<string, Resource> = {
  '/api/v1/public/flows': {
    create: async (tenant) => {
      const flow = await tenant.flow();
      await tenant.client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Second version' });
      await tenant.client.put(`/api/v1/public/flows/${flow.id}/draft`, { name: 'Draft' });
      return flow;
    },
    change: { name: 'Taken over' },
    changes: { preview: { draft: true }, publish: { note: 'Taken over' }, restore: { note: 'Taken over' } },
  },
  '/api/v1/public/offers': {
    create: async (tenant) => {
      const offer = await tenant.offer();
      await tenant.client.put(`/api/v1/public/offers/${offer.id}`, { heading: 'Second version' });
      await tenant.client.put(`/api/v1/public/offers/${offer.id}/draft`, { heading: 'Draft' });
      return offer;
    },
    change: { name: 'Taken over' },
    changes: { publish: { note: 'Taken over' }, restore: { note: 'Taken over' } },
  },
  '/api/v1/public/audiences': {
    create: async ({ client }) => {
      const when = { all: [{ fact: 'months', is: '>=', value: 12 }] };
      return (await client.post('/api/v1/public/audiences', { name: 'Loyal', when })).body;
    },
    change: { name: 'Taken over' },
  },
  '/api/v1/public/images': {
    create: async ({ client }) => {
      const [width, height] = [randomInt(1, 4096), randomInt(1, 4096)];
      const file = { body: png(width, height), headers: { 'content-type': 'image/png' } };
      return (await client.send('POST', '/api/v1/public/images', file)).body;
    },
    change: {},
    isWhole: true,
  },
  '/api/v1/public/api-keys': {
    create: async (tenant) => (await tenant.client.post('/api/v1/public/api-keys', { name: 'Spare' })).body,
    change: { name: 'Taken over' },
  },
  '/api/v1/public/customer-keys': {
    create: async ({ client }) =>
      (await client.post('/api/v1/public/customer-keys', { name: 'Spare', algorithm: 'HS256' })).body,
    change: { name: 'Taken over', algorithm: 'HS256' },
  },
  '/api/v1/public/people': {
    create: async (tenant, service) => {
      const viewer = await service.person(tenant, 'viewer');
      return { id: (await viewer.get('/api/v1/public/me')).body.actor.id };
    },
    change: { role: 'editor' },
    changes: { 'password-link': undefined },
  },
  '/api/v1/public/invitations': {
    create: async (tenant, service) => {
      const invitation = { email: `${randomUUID()}@acme.example`, role: 'viewer' };
      return (await service.operator.post(`/api/v1/admin/workspaces/${tenant.id}/invitations`, invitation)).body;
    },
    change: { email: 'ada@acme.example', role: 'viewer' },
  },
  '/api/v1/public/sessions': {
    create: async (tenant, service) => {
      const { slug: flow_slug } = await tenant.publishedFlow();
      const { session_id } = (await tenant.client.post('/api/v1/runtime/session/init', { flow_slug })).body;
      const { body } = await tenant.client.get(`/api/v1/public/sessions/${session_id}`);
      await leaveToPerson(tenant, body.id, service);
      return body;
    },
    change: {},
    changes: { fulfilment: { action: 'done' } },
  },
  '/api/v1/public/declarations': {
    create: async (tenant) => {
      const exit = { enabled: true };
      const { id: flowId } = await tenant.flow();
      await tenant.client.put(`/api/v1/public/flows/${flowId}`, { exit });
      const { slug } = (await tenant.client.get(`/api/v1/public/flows/${flowId}`)).body;
      const declaration = { kind: 'termination', name: 'Ada', email: 'ada@example.com', contract: randomUUID() };
      const { number } = (await tenant.client.post(`/api/v1/runtime/exit/${slug}`, declaration)).body;
      return (await tenant.client.get(`/api/v1/public/declarations?number=${number}`)).body.declarations[0];
    },
    change: { done: true },
  },
  '/api/v1/public/webhooks': {
    create: async (tenant, service) => {
      // Something to recover.
      await record(service, tenant, { at: `now() - interval '1 hour'` });
      return createWebhook(tenant);
    },
    change: { description: 'Taken over' },
    changes: { 'rotate-secret': {}, test: undefined, recover: { since: '2026-01-01T00:00:00Z' } },
  },
  '/api/v1/public/events': {
    create: async (tenant) => {
      const { id } = await createWebhook(tenant);
      const { body } = await tenant.client.send('POST', `/api/v1/public/webhooks/${id}/test`);
      return { id: body.event_id };
    },
    change: {},
    changes: { redeliver: undefined },
  },
};

/** Lets the billing system have something to do for a session. */
async function leaveToPerson({ id }: Tenant, sessionId: string, service: Service): Promise<void> {
  await service.database.query(
    `INSERT INTO fulfilments (workspace_id, flow_session_id, action, mode, state, attempts, give_up_at, request_number, created_at, updated_at)
      VALUES ($1, $2, 'apply', 'live', 'manual', 1, now(), 1, now(), now())`,
    [id, sessionId],
  );
}

async function createWebhook(tenant: Tenant): Promise<{ id: string }> {
  return (await tenant.client.post('/api/v1/public/webhooks', { url: 'https://acme.example/' })).body;
}

/** The status of a POST that is no creation. */
const POSTED: Record<string, number> = {
  publish: 200,
  restore: 200,
  'rotate-secret': 200,
  test: 202,
  recover: 202,
  redeliver: 202,
  'password-link': 200,
  fulfilment: 200,
};

/** Where only people may go: with a key, every answer would be 403. */
const FOR_PEOPLE = /^\/api\/v1\/public\/(people|invitations)\b/;

/** Customers have ids of the client's own, which are no rows: another workspace's are none of one's own. */
const NAMED_BY_THE_CLIENT = [
  'DELETE /api/v1/public/customers/{customer_id}',
  'GET /api/v1/public/customers/{customer_id}/export',
];

interface Route {
  method: string;
  path: string;
  name: string;
}

describe('Tenancy', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let other: Tenant;
  const owners = new Map<string, Client>();

  beforeEach(async () => {
    other = await service.workspace({ name: 'Other' });
  });

  describe('Every route', () => {
    it('is in the OpenAPI document, and what is in the document is served', () => {
      const served = servedRoutes(service);
      const documented = routes().map(({ name }) => name);
      expect(documented.filter((name) => !served.includes(name))).toEqual([]);
      const isHeadOfDocumented = (name: string) => documented.includes(name.replace(/^HEAD /, 'GET '));
      const isHead = (name: string) => name.startsWith('HEAD ') && served.includes(name.replace(/^HEAD /, 'GET '));
      const isRefusal = (name: string) => name.endsWith(' /api/v1/runtime/*');
      const undocumented = served.filter((name) => !isHeadOfDocumented(name) && !isHead(name) && !isRefusal(name));
      const names = undocumented.map((name) => name.replace(/v1\.[0-9a-f]{20}\./, 'v1.<hash>.'));
      expect(names.toSorted()).toEqual(NOT_IN_THE_DOCUMENT);
    });

    it('asks for a key, unless it is in the list of what is public', async () => {
      const open: string[] = [];
      for (const route of routes()) {
        const { status } = await call(service.client, route, randomUUID());
        if (status !== 401) open.push(route.name);
      }
      expect(open).toEqual(PUBLIC);
    });

    it('asks for it under HEAD too', async () => {
      for (const { path } of routes().filter(({ method, name }) => method === 'GET' && !PUBLIC.includes(name))) {
        expect([path, await head(path.replace('{id}', randomUUID()))]).toEqual([path, 401]);
      }
    });

    it("says in the document whom it takes: a workspace's key, a person, the operator's key or anybody", () => {
      const schemes = Object.fromEntries(routes().map(({ name, security }) => [name, security]));
      const schemesOf = ({ name, path }: Route) => {
        if (PUBLIC.includes(name)) return [];
        if (path.startsWith('/api/v1/admin/')) return ['operator_key'];
        const isForPeople = FOR_PEOPLE.test(path) || /^\/api\/v1\/public\/me\/(password|sessions?)$/.test(path);
        return isForPeople ? ['session'] : ['api_key', 'session'];
      };
      const expected = routes().map((route) => [route.name, schemesOf(route)]);
      expect(schemes).toEqual(Object.fromEntries(expected));
    });
  });

  describe('Every route under /api/v1/public/', () => {
    it("answers 401 to the operator's key: it opens no workspace", async () => {
      for (const route of routes('/api/v1/public/')) {
        const { status, body } = await call(service.operator, route, randomUUID());
        expect([route.name, status, body.code]).toEqual([route.name, 401, 'invalid_token']);
      }
    });

    it("answers 404 for another workspace's row as for one that nobody has, and the row stays as it is", async () => {
      for (const route of routesWithId()) {
        const { id } = await resourceOf(route)!.create(other, service);
        const [mine, theirs] = await Promise.all([clientFor(route, acme), clientFor(route, other)]);
        const before = await rowsOf(other);
        const foreign = await call(mine, route, id);
        const unknown = await call(mine, route, randomUUID());
        expect([route.name, foreign.status]).toEqual([route.name, 404]);
        expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
        expect(await rowsOf(other)).toEqual(before);

        // The row and the request are good: their owner gets an answer.
        const own = await call(theirs, route, id);
        expect([route.name, own.status]).toEqual([
          route.name,
          route.method === 'POST' ? (POSTED[endOf(route)] ?? 201) : 200,
        ]);
        if (route.method !== 'GET') expect(await rowsOf(other)).not.toEqual(before);
      }
    });

    it("answers 404 under HEAD too for another workspace's row", async () => {
      for (const route of routesWithId().filter(({ method }) => method === 'GET')) {
        const { path } = route;
        const { id } = await resourceOf(route)!.create(other, service);
        const url = path.replace('{version}', '1').replace('{id}', id);
        expect([path, await head(url, acme.key)]).toEqual([path, 404]);
        expect([path, await head(url, other.key)]).toEqual([path, 200]);
      }
    });

    it("never names another workspace's row, in whatever list, page or status", async () => {
      for (const [path, { create, isWhole }] of Object.entries(RESOURCES)) {
        const three = async (tenant: Tenant) => {
          const created = [];
          for (let n = 0; n < 3; n++) created.push((await create(tenant, service)).id);
          return created;
        };
        const [mine, theirs] = [await three(acme), await three(other)];
        const [acmes, others] = await Promise.all([clientFor({ path }, acme), clientFor({ path }, other)]);
        const { next_cursor } = (await others.get(isWhole ? path : `${path}?limit=1`)).body;
        const parameters = (queryOf(path) as { name: string; schema: { enum?: string[] } }[]).flatMap(
          ({ name, schema }) => schema.enum?.map((value) => `?${name}=${value}`) ?? [],
        );
        for (const query of isWhole
          ? ['']
          : ['', '?limit=500', '?limit=1', `?limit=500&cursor=${next_cursor}`, ...parameters]) {
          const { status, body } = await acmes.get(path + query);
          expect([path + query, status]).toEqual([path + query, 200]);
          const text = JSON.stringify(body);
          expect([path + query, theirs.filter((id) => text.includes(id))]).toEqual([path + query, []]);
        }
        const all = JSON.stringify((await acmes.get(path)).body);
        expect(mine.filter((id) => !all.includes(id))).toEqual([]);
      }
    });

    it('without an id means the workspace of the key', async () => {
      const before = await rowsOf(other);
      for (const route of routes('/api/v1/public/').filter(({ path }) => !path.includes('{'))) {
        const { status, body } = await call(acme.client, route);
        expect([route.name, status < 500]).toEqual([route.name, true]);
        expect([route.name, JSON.stringify(body).includes(other.id)]).toEqual([route.name, false]);
        expect([route.name, await rowsOf(other)]).toEqual([route.name, before]);
      }
      expect((await acme.client.get('/api/v1/public/workspace')).body).toMatchObject({
        id: acme.id,
        name: 'Taken over',
      });
    });

    it('takes no workspace from the client but the one of the key', async () => {
      const before = await rowsOf(other);
      const offer = { name: 'Mine', offer_type: 'custom' };
      const headers = { 'x-workspace-id': other.id, 'workspace-id': other.id };
      expect((await acme.client.post('/api/v1/public/offers', offer, headers)).status).toBe(201);
      expect((await acme.client.post('/api/v1/public/offers', { ...offer, workspace_id: other.id })).status).toBe(400);
      expect((await acme.client.get(`/api/v1/public/offers?workspace_id=${other.id}`)).status).toBe(400);
      expect(await rowsOf(other)).toEqual(before);
    });
  });

  describe('Every route under /api/v1/runtime/', () => {
    const SESSION = '/api/v1/runtime/session';

    async function start(tenant: Tenant): Promise<string> {
      const { slug: flow_slug } = await tenant.publishedFlow();
      return (await service.client.post(`${SESSION}/init`, { flow_slug })).body.session_id as string;
    }

    it('finds a session in the workspace of its session_id only: the code of another, or of none, is 404', async () => {
      const mine = await start(acme);
      const theirs = await start(other);
      const before = await rowsOf(acme);
      for (const code of [theirs.slice(0, 8), '00000000']) {
        const forged = code + mine.slice(8);
        expect((await service.client.get(`${SESSION}/${forged}`)).status).toBe(404);
        expect((await service.client.post(`${SESSION}/${forged}/step`, { action: 'cancel' })).status).toBe(404);
      }
      expect(await rowsOf(acme)).toEqual(before);
      expect((await service.client.get(`${SESSION}/${mine.toUpperCase()}`)).body.session_id).toBe(mine);
      expect((await service.client.post(`${SESSION}/${mine.toUpperCase()}/step`, { action: 'cancel' })).status).toBe(
        200,
      );
    });

    it('gives all sessions of a workspace one code, and every workspace its own', async () => {
      const codes = [await start(acme), await start(acme), await start(other)].map((id) => id.slice(0, 8));
      expect(codes[0]).toBe(codes[1]);
      expect(codes[0]).not.toBe(codes[2]);
    });
  });

  describe('Every route under /api/v1/admin/', () => {
    it("answers 401 to a workspace's key, also for its own workspace, and nothing changes", async () => {
      const before = [await rowsOf(acme), await rowsOf(other)];
      const admin = routes('/api/v1/admin/');
      expect(admin).not.toEqual([]);
      for (const route of admin) {
        for (const id of [acme.id, other.id]) {
          const { status, body } = await call(acme.client, route, id);
          expect([route.name, status, body.code]).toEqual([route.name, 401, 'invalid_token']);
        }
      }
      expect([await rowsOf(acme), await rowsOf(other)]).toEqual(before);
    });
  });

  describe('The database', () => {
    const isRefused = { driverError: expect.objectContaining({ code: '23503' }) };

    it("holds no session on another workspace's flow", async () => {
      const { slug } = await other.publishedFlow();
      expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug })).status).toBe(201);
      await expect(copyRow('flow_sessions', other, acme)).rejects.toMatchObject(isRefused);
      await copyRow('flow_sessions', other, other);
      expect(await count('flow_sessions', acme)).toBe(0);
      expect(await count('flow_sessions', other)).toBe(2);
    });

    it("holds no version of another workspace's flow", async () => {
      await other.flow();
      await expect(copyRow('flow_versions', other, acme, { version: 2 })).rejects.toMatchObject(isRefused);
      await copyRow('flow_versions', other, other, { version: 2 });
      expect(await count('flow_versions', acme)).toBe(0);
      expect(await count('flow_versions', other)).toBe(2);
    });

    it("holds no version and no draft of another workspace's offer", async () => {
      const { id } = await other.offer();
      await other.client.put(`/api/v1/public/offers/${id}/draft`, { heading: 'Draft' });
      for (const table of ['offer_versions', 'offer_drafts']) {
        await expect(copyRow(table, other, acme)).rejects.toMatchObject(isRefused);
        expect([await count(table, acme), await count(table, other)]).toEqual([0, 1]);
      }
    });

    it("holds no draft of another workspace's flow", async () => {
      const { id } = await other.flow();
      await other.client.put(`/api/v1/public/flows/${id}/draft`, { name: 'Draft' });
      await expect(copyRow('flow_drafts', other, acme)).rejects.toMatchObject(isRefused);
      expect([await count('flow_drafts', acme), await count('flow_drafts', other)]).toEqual([0, 1]);
    });

    it("holds no preview of another workspace's flow", async () => {
      const { id } = await other.flow();
      await other.client.send('POST', `/api/v1/public/flows/${id}/preview`);
      await expect(copyRow('previews', other, acme)).rejects.toMatchObject(isRefused);
      await copyRow('previews', other, other);
      expect(await count('previews', acme)).toBe(0);
      expect(await count('previews', other)).toBe(2);
    });

    it("leads no slug of a workspace to another's flow", async () => {
      await other.flow();
      const [slug, another] = [`a-${randomUUID()}`, `b-${randomUUID()}`];
      await expect(copyRow('flow_slugs', other, acme, { slug })).rejects.toMatchObject(isRefused);
      await copyRow('flow_slugs', other, other, { slug: another });
      expect(await count('flow_slugs', acme)).toBe(0);
    });

    it('has workspace_id in every primary key and unique index, and in both ends of every foreign key', async () => {
      expect(await service.database.query(BREACHES)).toEqual([]);
    });

    it('has every table in deploy/citus.sql: spread by its workspace, or on every server', async () => {
      const sql = readFileSync(join(__dirname, '../deploy/citus.sql'), 'utf8');
      const named = [...sql.matchAll(/create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)')?/g)];
      const inDocs = Object.fromEntries(named.map(([, , table, column = 'every server']) => [table, column]));
      const tables: { name: string; placed: string }[] = await service.database.query(`
        SELECT relname AS name, CASE WHEN relname IN (${DIRECTORIES}, ${OF_SERVICE}, 'migrations') THEN 'every server'
          WHEN relname = 'workspaces' THEN 'id' ELSE 'workspace_id' END AS placed
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`);
      expect(inDocs).toEqual(Object.fromEntries(tables.map(({ name, placed }) => [name, placed])));
      expect(named).toHaveLength(tables.length);
    });

    it('has no foreign key from a directory but those that deploy/citus.sql drops', async () => {
      const sql = readFileSync(join(__dirname, '../deploy/citus.sql'), 'utf8');
      const added = [...sql.matchAll(/ADD CONSTRAINT (\w+)/g)].map(([, name]) => name);
      const dropped = [...sql.matchAll(/DROP CONSTRAINT (\w+)/g)].flatMap(([, name]) =>
        added.includes(name) ? [] : name,
      );
      const keys: { name: string }[] = await service.database.query(
        `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text IN (${DIRECTORIES})
          AND confrelid::regclass::text NOT IN (${OF_SERVICE})`,
      );
      expect(dropped.toSorted()).toEqual(keys.map(({ name }) => name).toSorted());
    });

    it('would be found out if it had a table that breaks the rule', async () => {
      const runner = service.database.createQueryRunner();
      await runner.startTransaction();
      try {
        await runner.query(`
          CREATE TABLE no_workspace (id uuid PRIMARY KEY);
          CREATE TABLE keyed_by_id_alone (workspace_id uuid NOT NULL, id uuid PRIMARY KEY);
          CREATE TABLE unique_across_workspaces (workspace_id uuid, id uuid, name text, PRIMARY KEY (workspace_id, id));
          CREATE UNIQUE INDEX unique_name ON unique_across_workspaces (name) WHERE name IS NOT NULL;
          CREATE TABLE points_across_workspaces (
            workspace_id uuid, id uuid, parent uuid, PRIMARY KEY (workspace_id, id), UNIQUE (id, workspace_id),
            FOREIGN KEY (parent) REFERENCES keyed_by_id_alone (id),
            FOREIGN KEY (parent, workspace_id) REFERENCES flows (workspace_id, id),
            FOREIGN KEY (workspace_id, parent) REFERENCES flows (workspace_id, id)
          );
          CREATE TABLE without_a_primary_key (workspace_id uuid NOT NULL);
          CREATE TABLE belongs_to_nobody (workspace_id uuid, name text UNIQUE NULLS NOT DISTINCT);
        `);
        expect(await runner.query(BREACHES)).toEqual([
          { breach: 'belongs_to_nobody has no primary key' },
          { breach: 'belongs_to_nobody.workspace_id may be null' },
          { breach: 'belongs_to_nobody_name_key is unique without workspace_id' },
          { breach: 'keyed_by_id_alone_pkey is unique without workspace_id' },
          { breach: 'no_workspace has no column workspace_id' },
          { breach: 'no_workspace_pkey is unique without workspace_id' },
          { breach: 'points_across_workspaces_parent_fkey refers to keyed_by_id_alone without workspace_id' },
          { breach: 'points_across_workspaces_parent_workspace_id_fkey refers to flows without workspace_id' },
          { breach: 'unique_name is unique without workspace_id' },
          { breach: 'without_a_primary_key has no primary key' },
        ]);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    });
  });

  /** Whoever may call a route of a workspace. */
  async function clientFor({ path }: { path: string }, tenant: Tenant): Promise<Client> {
    if (!FOR_PEOPLE.test(path)) return tenant.client;
    const owner = owners.get(tenant.id) ?? (await service.person(tenant));
    owners.set(tenant.id, owner);
    return owner;
  }

  /** The routes of the OpenAPI document, whose paths begin with a prefix. */
  function routes(prefix = '/'): (Route & { security: string[] })[] {
    const found = Object.entries(createDocument(service.app).paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { security?: object[] }>).map(([method, { security = [] }]) => ({
        method: method.toUpperCase(),
        path,
        name: `${method.toUpperCase()} ${path}`,
        security: security.flatMap((scheme) => Object.keys(scheme)),
      })),
    );
    expect(found.length).toBeGreaterThan(0);
    return found.filter(({ path }) => path.startsWith(prefix));
  }

  /** The routes of a workspace whose path names a row. Each must have a resource here, or nothing would be tested. */
  function routesWithId(): Route[] {
    const found = routes('/api/v1/public/').filter(
      ({ path, name }) => path.includes('{') && !NAMED_BY_THE_CLIENT.includes(name),
    );
    const unknown = found.filter((route) => !resourceOf(route)).map(({ name }) => name);
    if (unknown.length > 0) {
      throw new Error(
        `Add what these routes are about to RESOURCES in this file, with a factory: ${unknown.join(', ')}`,
      );
    }
    return found;
  }

  function queryOf(path: string): unknown[] {
    const parameters = createDocument(service.app).paths[path].get!.parameters as { in: string }[];
    return parameters.filter((parameter) => parameter.in === 'query');
  }

  /** Calls a route, with a body that it takes where it needs one. */
  function call(client: Client, route: Route, id = ''): Promise<Answer> {
    const { method, path } = route;
    const url = path.replace('{version}', '1').replaceAll(/\{\w+\}/g, id);
    const { change = { name: 'Taken over' }, changes = {} } = resourceOf(route) ?? {};
    const body = endOf(route) in changes ? changes[endOf(route)] : change;
    return (method === 'POST' || method === 'PUT') && body
      ? client.sendJson(method, url, body)
      : client.send(method, url);
  }

  /** The status of a HEAD request, whose answer has no body to hold against the document. */
  async function head(path: string, key?: string): Promise<number> {
    const headers = key ? { authorization: `Bearer ${key}` } : undefined;
    return (await fetch(service.client.baseUrl + path, { method: 'HEAD', headers })).status;
  }

  /** Everything that the database holds of a workspace, but for what changes when its own key is used. */
  async function rowsOf(tenant: Tenant): Promise<Record<string, unknown[]>> {
    const rows: Record<string, unknown[]> = {};
    const tables: { name: string; key: string }[] = await service.database.query(
      `SELECT table_name AS name, column_name AS key FROM information_schema.columns
       WHERE table_schema = 'public'
         AND (column_name = 'workspace_id' OR (table_name = 'workspaces' AND column_name = 'id'))`,
    );
    for (const { name, key } of tables) {
      rows[name] = await service.database.query(
        `SELECT to_jsonb(t) - 'last_used_at' AS row FROM ${name} t WHERE ${key} = $1 ORDER BY t::text`,
        [tenant.id],
      );
    }
    expect(rows.workspaces).toHaveLength(1);
    return rows;
  }

  async function count(table: string, tenant: Tenant): Promise<number> {
    const [row] = await service.database.query(`SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`, [
      tenant.id,
    ]);
    return row.count as number;
  }

  /** Copies the only row of a workspace into one, as it is but for its id and what else must be new. */
  async function copyRow(table: string, from: Tenant, to: Tenant, changes: object = {}): Promise<void> {
    await service.database.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, $2)).* FROM ${table} t WHERE workspace_id = $1`,
      [from.id, { workspace_id: to.id, id: randomUUID(), session_id: randomUUID(), ...changes }],
    );
  }
});

/** What a route with an id is about; undefined if RESOURCES doesn't know. */
function resourceOf({ path }: Route): Resource | undefined {
  return RESOURCES[path.split('/{')[0]];
}

/** The last part of a route's path. */
function endOf({ path }: Route): string {
  return path.split('/').at(-1)!;
}

/** The routes that Fastify really serves, as `METHOD /path/{id}`. */
function servedRoutes(service: Service): string[] {
  const fastify = service.app.getHttpAdapter().getInstance();
  const parents: string[] = [];
  const tree = fastify.printRoutes().trimEnd().split('\n');
  return tree.flatMap((line) => {
    // Parts that routes share stand on lines of their own, without methods.
    const [, indent, part, methods] = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (!part) throw new Error(`printRoutes has changed its form: ${line}`);
    const depth = indent.length / 4;
    const path = parents.slice(0, depth).join('') + part;
    parents.splice(depth, Infinity, part);
    return (methods?.split(', ') ?? []).map((method) => {
      const isServed = fastify.hasRoute({ method, url: path });
      if (!isServed) throw new Error(`printRoutes was misread: there is no ${method} ${path}`);
      return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    });
  });
}

/** In SQL: the tables that lead from what comes without a workspace to one. */
const DIRECTORIES = `'workspace_codes', 'api_keys', 'flow_slugs', 'members', 'invitations'`;

/** In SQL: the tables of the whole service. A person may be in several workspaces. */
const OF_SERVICE = `'people', 'person_sessions', 'one_time_links'`;

/**
 * Whatever breaks the rule of the schema: a tenant's table has workspace_id, NOT NULL, in its primary key and in every
 * unique index, and refers to another only together with it. `workspaces` is its own tenant. The five directories lead
 * from what comes without a workspace to one: their unique keys are exempt, their foreign keys are not.
 */
const BREACHES = `
  WITH tenant_table AS (
    SELECT oid, relname AS name, relname IN (${DIRECTORIES}) AS is_directory,
           CASE relname WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END AS tenant_column
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT IN ('migrations', ${OF_SERVICE})
  ), tenant_column AS (
    SELECT t.*, attnum, attnotnull
    FROM tenant_table t LEFT JOIN pg_attribute ON attrelid = t.oid AND attname = t.tenant_column AND NOT attisdropped
  )
  SELECT format('%s has no column workspace_id', name) AS breach FROM tenant_column WHERE attnum IS NULL
  UNION ALL
  SELECT format('%s.workspace_id may be null', name) FROM tenant_column WHERE NOT attnotnull
  UNION ALL
  SELECT format('%s has no primary key', name) FROM tenant_column t
  WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = t.oid AND indisprimary)
  UNION ALL
  SELECT format('%s is unique without workspace_id', indexrelid::regclass)
  FROM tenant_column t JOIN pg_index ON indrelid = t.oid AND (indisunique OR indisexclusion)
  WHERE NOT is_directory
    AND (attnum IS NULL OR NOT attnum = ANY ((indkey::int2[])[0 : indnkeyatts - 1]))
  UNION ALL
  SELECT format('%s refers to %s without workspace_id', conname, target.name)
  FROM pg_constraint
    JOIN tenant_column source ON source.oid = conrelid
    JOIN tenant_column target ON target.oid = confrelid
  WHERE contype = 'f' AND NOT EXISTS (
    SELECT FROM unnest(conkey, confkey) AS pair (source_column, target_column)
    WHERE source_column = source.attnum AND target_column = target.attnum
  )
  ORDER BY 1`;
