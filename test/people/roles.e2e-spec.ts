import { randomUUID } from 'node:crypto';
import { DOCUMENT } from '../support/contract';
import { serviceForAll, type Tenant } from '../support/service';

interface Operation {
  security: Record<string, unknown>[];
  'x-least-role'?: string;
}

/** What is about nobody but who asks, in whatever workspace. */
const OWN_AFFAIRS = [
  'GET /api/v1/public/me',
  'PUT /api/v1/public/me/password',
  'DELETE /api/v1/public/me/session',
  'DELETE /api/v1/public/me/sessions',
];

const routes = Object.entries(DOCUMENT.paths)
  .flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([verb, operation]) => ({
      name: `${verb.toUpperCase()} ${path}`,
      method: verb.toUpperCase(),
      path,
      least: operation['x-least-role'],
      takesKeys: operation.security.some((scheme) => 'api_key' in scheme),
    })),
  )
  .filter(({ path, name }) => path.startsWith('/api/v1/public/') && !OWN_AFFAIRS.includes(name));

/** Any id: roles are asked for before. */
const urlOf = ({ path }: { path: string }) => path.replaceAll(/\{\w+\}/g, randomUUID());

describe('Roles', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });

  it('are declared by every route of a workspace', () => {
    expect(routes.filter(({ least }) => !['viewer', 'editor', 'owner'].includes(least!))).toEqual([]);
  });

  it('let a viewer change nothing but the mails that they get: what else they may send is a preview, that they signed in with a key, and a dry run', () => {
    const changes = routes.filter(({ least, method }) => least === 'viewer' && method !== 'GET');
    expect(changes.map(({ name }) => name)).toEqual([
      'POST /api/v1/public/flows/{id}/preview',
      'PUT /api/v1/public/config',
      'PUT /api/v1/public/people/{id}',
      'POST /api/v1/public/me/sign-in',
    ]);
  });

  it.each(['viewer', 'editor'])(
    'refuse a person who is only %s with 403, whatever the id and the body',
    async (role) => {
      const person = await service.person(acme, role);
      const roles = ['viewer', 'editor', 'owner'];
      const above = routes.filter(({ least }) => roles.indexOf(least!) > roles.indexOf(role));
      expect(above.length).toBeGreaterThan(10);
      for (const route of above) {
        const { status, body } = await person.send(route.method, urlOf(route));
        expect([route.name, status, body.code]).toEqual([route.name, 403, 'insufficient_role']);
      }
    },
  );

  it.each(['viewer', 'editor', 'owner'])('let a person who is %s do what the role may', async (role) => {
    const person = await service.person(acme, role);
    const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
    const offer = { name: 'Mine', offer_type: 'custom' };
    const invitation = { email: `${randomUUID()}@acme.example`, role: 'viewer' };
    expect([
      await statusOf(person.get('/api/v1/public/flows')),
      await statusOf(person.get('/api/v1/public/people')),
      await statusOf(person.post('/api/v1/public/offers', offer)),
      await statusOf(person.put('/api/v1/public/workspace', { name: 'Acme' })),
      await statusOf(person.post('/api/v1/public/invitations', invitation)),
    ]).toEqual(
      { viewer: [200, 200, 403, 403, 403], editor: [200, 200, 201, 403, 403], owner: [200, 200, 201, 200, 201] }[role],
    );
  });

  it('refuse a key that may only read with insufficient_scope', async () => {
    const key = { name: 'Reader', access: 'read' };
    const reader = service.client.with((await acme.client.post('/api/v1/public/api-keys', key)).body.key);
    for (const route of routes.filter(({ least, takesKeys }) => takesKeys && least !== 'viewer')) {
      const { status, body } = await reader.send(route.method, urlOf(route));
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'insufficient_scope']);
    }
  });

  it('let no key say who may come and go, though it may write', async () => {
    const forPeople = routes.filter(({ takesKeys }) => !takesKeys);
    expect(forPeople.length).toBeGreaterThan(5);
    for (const route of forPeople) {
      const { status, body } = await acme.client.send(route.method, urlOf(route));
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'person_required']);
    }
  });

  it('count from the next request on', async () => {
    const [owner, other] = [await service.person(acme), await service.person(acme)];
    const { id } = (await other.get('/api/v1/public/me')).body.actor;
    await owner.put(`/api/v1/public/people/${id}`, { role: 'viewer' });
    expect((await other.put('/api/v1/public/workspace', { name: 'Mine' })).status).toBe(403);
    expect((await other.get('/api/v1/public/me')).body.role).toBe('viewer');
  });
});
