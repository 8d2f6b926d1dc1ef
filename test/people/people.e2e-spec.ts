import { randomUUID } from 'node:crypto';
import { Client } from '../support/client';
import { PASSWORD, Service, Tenant, tokenIn } from '../support/service';

const PEOPLE = '/api/v1/public/people';
const INVITATIONS = '/api/v1/public/invitations';
const ME = '/api/v1/public/me';
const ACCEPT = '/api/v1/auth/invitation/accept';
const SESSION = '/api/v1/auth/session';

describe('People', () => {
  let service: Service;
  let acme: Tenant;
  let owner: Client;

  beforeAll(async () => {
    service = await Service.start({ PUBLIC_URL: 'https://flows.acme.example/' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    owner = await service.person(acme);
  });

  const idOf = async (person: Client): Promise<string> => (await person.get(ME)).body.actor.id;
  const invite = async (email: string, role = 'editor') => (await owner.post(INVITATIONS, { email, role })).body;
  const accept = (link: string, fields: object = {}) =>
    service.client.post(ACCEPT, { token: tokenIn(link), name: 'Grace', password: PASSWORD, ...fields });

  describe('An invitation', () => {
    it('has a link to the console at PUBLIC_URL, and lets in whom it is for, with its role', async () => {
      const email = 'Grace@Acme.example';
      const { link } = await invite(email);
      expect(link).toMatch(/^https:\/\/flows\.acme\.example\/console#\/invitation\/[\w-]{43}$/);
      const read = await service.client.post('/api/v1/auth/invitation', { token: tokenIn(link) });
      expect(read.body).toEqual({
        email: 'grace@acme.example',
        workspace_name: 'Acme',
        is_known: false,
        may_be_known: false,
      });
      const grace = service.client.signedIn(await accept(link));
      expect((await grace.get(ME)).body).toMatchObject({
        actor: { type: 'person', name: 'Grace' },
        email: 'grace@acme.example',
        role: 'editor',
        workspaces: [{ id: acme.id, name: 'Acme', role: 'editor' }],
      });
      expect((await owner.get(INVITATIONS)).body.invitations).toEqual([]);
    });

    it('works once, also when two accept it at the same time', async () => {
      const { link } = await invite('once@acme.example');
      const answers = await Promise.all([accept(link), accept(link, { name: 'Mallory' })]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const { status, body } = await accept(link);
      expect([status, body.code]).toEqual([404, 'link_not_found']);
    });

    it.each(['a person', 'the operator'])(
      'of %s has the same link when it is sent again with its Idempotency-Key',
      async (who) => {
        const [client, path] =
          who === 'a person'
            ? [owner, INVITATIONS]
            : [service.operator, `/api/v1/admin/workspaces/${acme.id}/invitations`];
        const send = (key: object) => client.post(path, { email: 'again@acme.example', role: 'editor' }, { ...key });
        const key = { 'idempotency-key': randomUUID() };
        const first = await send(key);
        expect([first.status, (await send(key)).body]).toEqual([201, first.body]);
        expect((await send({})).body.link).not.toBe(first.body.link);
        expect((await owner.get(INVITATIONS)).body.invitations).toHaveLength(1);
      },
    );

    it('is over after 7 days, when it is withdrawn, and when another replaces it', async () => {
      const old = await invite('old@acme.example');
      await service.letPass('7 days', acme);
      const withdrawn = await invite('withdrawn@acme.example');
      expect((await owner.delete(`${INVITATIONS}/${withdrawn.id}`)).status).toBe(200);
      const replaced = await invite('replaced@acme.example');
      await invite('replaced@acme.example');
      for (const { link } of [old, withdrawn, replaced]) {
        expect((await accept(link)).body.code).toBe('link_not_found');
      }
      expect((await owner.get(INVITATIONS)).body.invitations).toHaveLength(1);
    });

    it('asks a person who has proved the address for their own password, so nobody else takes their place', async () => {
      const other = await service.workspace({ name: 'Other' });
      const email = `ada-${other.id}@acme.example`;
      const ada = await service.person(other, 'viewer', email);
      await service.database.query('UPDATE people SET email_proven = true WHERE email = $1', [email]);
      const { link } = await invite(email.toUpperCase());
      const read = await service.client.post('/api/v1/auth/invitation', { token: tokenIn(link) });
      expect(read.body).toMatchObject({ is_known: true, may_be_known: true });
      expect((await accept(link, { password: 'a password of my own' })).body.code).toBe('wrong_credentials');
      expect((await accept(link, { name: 'Somebody else' })).status).toBe(200);
      const { actor, workspaces } = (await ada.get(ME)).body;
      expect(actor.name).toBe('The viewer');
      expect(workspaces.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
        ['Acme', 'editor'],
        ['Other', 'viewer'],
      ]);
    });

    it('makes a new person of whoever has another password, as long as nobody has proved the address', async () => {
      const other = await service.workspace({ name: 'Other' });
      const email = `dora-${other.id}@acme.example`;
      const squatter = await service.person(other, 'viewer', email);
      const { link } = await invite(email);
      const read = await service.client.post('/api/v1/auth/invitation', { token: tokenIn(link) });
      expect(read.body).toMatchObject({ is_known: false, may_be_known: true });
      const password = 'a password of my own';
      expect((await accept(link, { password, name: undefined })).body.code).toBe('wrong_credentials');
      const dora = service.client.signedIn(await accept(link, { password }));
      const workspacesOf = async (client: Client) =>
        (await client.get(ME)).body.workspaces.map(({ name }: { name: string }) => name);
      expect([await workspacesOf(dora), await workspacesOf(squatter)]).toEqual([['Acme'], ['Other']]);
      const signIn = async (word: string) =>
        workspacesOf(service.client.signedIn(await service.client.post(SESSION, { email, password: word })));
      expect([await signIn(password), await signIn(PASSWORD)]).toEqual([['Acme'], ['Other']]);
    });

    it('is refused to a sixth person with one address, and to nobody who knows a password of the five', async () => {
      const email = `many-${acme.id}@acme.example`;
      for (let n = 1; n <= 5; n++) {
        const other = await service.workspace();
        const invitation = { email, role: 'viewer' };
        const path = `/api/v1/admin/workspaces/${other.id}/invitations`;
        const { link } = (await service.operator.post(path, invitation)).body;
        expect((await accept(link, { password: `the password of ${n}` })).status).toBe(200);
      }
      const { link } = await invite(email);
      const sixth = await accept(link, { password: 'the password of 6' });
      expect([sixth.status, sixth.body.code]).toEqual([409, 'address_limit_reached']);
      expect((await accept(link, { password: 'the password of 5' })).status).toBe(200);
    });

    it('of somebody who is in the workspace is 409', async () => {
      const { email } = (await owner.get(ME)).body;
      expect((await owner.post(INVITATIONS, { email, role: 'viewer' })).body.code).toBe('already_member');
    });

    it('wants a name and 12 characters from a new person', async () => {
      const { link } = await invite('new@acme.example');
      expect((await accept(link, { password: 'too short' })).body.errors[0].pointer).toBe('/password');
      expect((await accept(link, { name: undefined })).body.errors[0].pointer).toBe('/name');
      expect((await accept(link)).status).toBe(200);
    });
  });

  describe('A person', () => {
    it('is listed with their role', async () => {
      await service.person(acme, 'viewer');
      const { people } = (await owner.get(PEOPLE)).body;
      expect(people.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
        ['The viewer', 'viewer'],
        ['The owner', 'owner'],
      ]);
    });

    it('who is removed is refused on the next request, and is gone with their last workspace', async () => {
      const viewer = await service.person(acme, 'viewer');
      expect((await owner.delete(`${PEOPLE}/${await idOf(viewer)}`)).status).toBe(200);
      expect((await viewer.get('/api/v1/public/flows')).status).toBe(401);
      expect((await owner.get(PEOPLE)).body.people).toHaveLength(1);
    });

    it('who is in another workspace, too, stays there when removed from one', async () => {
      const other = await service.workspace({ name: 'Other' });
      const email = `${other.id}@acme.example`;
      const ada = await service.person(other, 'viewer', email);
      await accept((await invite(email)).link);
      await owner.delete(`${PEOPLE}/${await idOf(ada)}`);
      const refused = await ada.get('/api/v1/public/flows', { 'workspace-id': acme.id });
      expect([refused.status, refused.body.errors[0].header]).toEqual([400, 'Workspace-Id']);
      expect((await ada.get('/api/v1/public/workspace')).body.name).toBe('Other');
    });

    it('of several workspaces names one by Workspace-Id, and none of others', async () => {
      const other = await service.workspace({ name: 'Other' });
      const stranger = await service.workspace({ name: 'Stranger' });
      const email = `${other.id}@acme.example`;
      const ada = await service.person(other, 'viewer', email);
      await accept((await invite(email)).link);
      const nameIn = async (id: string) =>
        (await ada.get('/api/v1/public/workspace', { 'workspace-id': id })).body.name as string;
      expect([await nameIn(acme.id), await nameIn(other.id)]).toEqual(['Acme', 'Other']);
      expect((await ada.get('/api/v1/public/workspace')).status).toBe(400);
      expect((await ada.get('/api/v1/public/workspace', { 'workspace-id': stranger.id })).status).toBe(400);
      expect((await ada.get(ME)).body).toMatchObject({ workspace_id: null, role: null });
    });
  });

  it('write nothing with a request that names another person by Person-Id', async () => {
    const ada = await idOf(owner);
    const bea = await service.person(acme);
    const rename = (client: Client) => client.put('/api/v1/public/workspace', { name: 'New' }, { 'person-id': ada });
    expect((await rename(owner)).status).toBe(200);
    const { status, body } = await rename(bea);
    expect([status, body.code]).toEqual([403, 'another_person']);
  });

  describe('The last owner', () => {
    it('can neither go nor become anything else', async () => {
      const id = await idOf(owner);
      const answers = [await owner.delete(`${PEOPLE}/${id}`), await owner.put(`${PEOPLE}/${id}`, { role: 'editor' })];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [409, 'last_owner'],
        [409, 'last_owner'],
      ]);
    });

    it('stays one of two who remove each other at the same time', async () => {
      const second = await service.person(acme);
      const ids = [await idOf(owner), await idOf(second)];
      await Promise.all([owner.delete(`${PEOPLE}/${ids[1]}`), second.delete(`${PEOPLE}/${ids[0]}`)]);
      const [{ owners }] = await service.database.query(
        `SELECT count(*)::int AS owners FROM members WHERE workspace_id = $1 AND role = 'owner'`,
        [acme.id],
      );
      expect(owners).toBe(1);
    });
  });

  describe('A link to set a new password', () => {
    const SET = '/api/v1/auth/password';

    it('works once, ends the sessions of the person, and signs them in', async () => {
      const viewer = await service.person(acme, 'viewer');
      const made = await owner.send('POST', `${PEOPLE}/${await idOf(viewer)}/password-link`);
      const body = { token: tokenIn(made.body.link), password: 'another good password' };
      const back = service.client.signedIn(await service.client.post(SET, body));
      expect((await viewer.get(ME)).status).toBe(401);
      expect((await back.get(ME)).body.role).toBe('viewer');
      expect((await service.client.post(SET, body)).body.code).toBe('link_not_found');
    });

    it('is not made for a person of another workspace, whom its owner could then sign in as', async () => {
      const other = await service.workspace({ name: 'Other' });
      const email = `${other.id}@acme.example`;
      const ada = await service.person(other, 'owner', email);
      await accept((await invite(email)).link);
      const { status, body } = await owner.send('POST', `${PEOPLE}/${await idOf(ada)}/password-link`);
      expect([status, body.code]).toEqual([409, 'person_in_other_workspaces']);
    });
  });
});
