import { Client } from '../support/client';
import { freePort } from '../support/free-port';
import { type Account, CLIENT, OpenIdProvider } from '../support/openid-provider';
import { Service, Tenant, tokenIn } from '../support/service';

const ME = '/api/v1/public/me';

describe('Signing in with OpenID Connect', () => {
  let service: Service;
  let trusting: Service;
  let provider: OpenIdProvider;
  let acme: Tenant;
  let email: string;
  let settings: NodeJS.ProcessEnv;

  beforeAll(async () => {
    provider = await OpenIdProvider.start(() => 'https://flows.acme.example/api/v1/auth/openid/callback');
    const roles = { OIDC_ROLES_CLAIM: 'groups', OIDC_ROLES: 'admins:owner,team:editor' };
    settings = {
      OIDC_ISSUER: provider.issuer,
      ...CLIENT,
      ...roles,
      PUBLIC_URL: 'https://flows.acme.example',
      PASSWORDS: 'off',
    };
    service = await Service.start(settings);
    trusting = await Service.start({ ...settings, OIDC_TRUST_EMAIL: 'true' });
  });
  afterAll(async () => {
    await Promise.all([service.stop(), trusting.stop()]);
    provider.stop();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    email = `${acme.id}@acme.example`;
    provider.account = { sub: acme.id, email: email.toUpperCase(), email_verified: true, name: 'Ada' };
  });

  const invite = (role = 'editor') =>
    service.operator.post(`/api/v1/admin/workspaces/${acme.id}/invitations`, { email, role });

  /** A browser, which keeps cookies of each server. */
  class Browser {
    private readonly cookies = new Map<string, string>();

    constructor(private readonly at = service) {}

    async get(url: string): Promise<Response> {
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        this.cookies.set(name, value);
      }
      return response;
    }

    /** Goes to the provider, and comes back to the callback, whose address it returns. */
    async untilBack(): Promise<URL> {
      let url = (await this.get(`${this.at.client.baseUrl}/api/v1/auth/openid`)).headers.get('location')!;
      while (url.startsWith(provider.issuer)) {
        const { headers } = await this.get(url);
        url = new URL(headers.get('location')!, url).href;
      }
      return new URL(url);
    }

    /** Calls the callback. Returns where it leads. */
    async callBack({ search }: { search: string }): Promise<string> {
      const response = await this.get(`${this.at.client.baseUrl}/api/v1/auth/openid/callback${search}`);
      expect(response.status).toBe(302);
      return response.headers.get('location')!;
    }

    get isSignedIn(): boolean {
      return !!this.cookies.get('rf');
    }

    get client(): Client {
      return new Client(this.at.client.baseUrl, undefined, `rf=${this.cookies.get('rf')!}`);
    }
  }

  async function signIn(at = service): Promise<Browser> {
    const browser = new Browser(at);
    await browser.callBack(await browser.untilBack());
    return browser;
  }

  it('asks with a code challenge, a state and a nonce, and comes back to PUBLIC_URL', async () => {
    const response = await new Browser().get(`${service.client.baseUrl}/api/v1/auth/openid`);
    const { searchParams } = new URL(response.headers.get('location')!);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: 'https://flows.acme.example/api/v1/auth/openid/callback',
    });
  });

  it('lets in whoever is invited at the verified address, and knows them again by their subject', async () => {
    await invite();
    expect((await (await signIn()).client.get(ME)).body).toMatchObject({
      email,
      role: 'editor',
      actor: { name: 'Ada' },
    });
    provider.account = { ...provider.account, email: `new-${email}`, name: 'Ada King' };
    expect((await (await signIn()).client.get(ME)).body).toMatchObject({
      email: `new-${email}`,
      role: 'editor',
      actor: { name: 'Ada King' },
    });
    // A provider that sends no name takes none away.
    provider.account = { ...provider.account, name: undefined };
    expect((await (await signIn()).client.get(ME)).body).toMatchObject({ actor: { name: 'Ada King' } });
  });

  it('lets in whoever has a role by a group, with the highest', async () => {
    provider.account.groups = ['everybody', 'team', 'admins'];
    const { workspaces } = (await (await signIn()).client.get(ME)).body;
    expect(workspaces).toMatchObject([{ role: 'owner' }]);
  });

  describe('that is refused', () => {
    /** The log of a process is the one of the service that was started last. */
    let strict: Service;

    beforeAll(async () => {
      strict = await Service.start({ ...settings, LOG_LEVEL: 'warn' });
    });
    afterAll(() => strict.stop());

    it.each<[string, Partial<Account>, string]>([
      ['whom nobody knows', {}, 'nobody has invited the address, and the provider sent no claim "groups"'],
      [
        'whose groups have no role',
        { groups: ['everybody', 'staff'] },
        'nobody has invited the address, and none of 2 groups has a role in OIDC_ROLES',
      ],
      ['whose address is not verified', { email_verified: false, groups: ['admins'] }, 'the address is not verified'],
      [
        'whose address may be verified or not',
        { email_verified: undefined, groups: ['admins'] },
        'the provider does not say whether the address is verified: see OIDC_TRUST_EMAIL',
      ],
      [
        'without an address',
        { email: undefined, groups: ['admins'] },
        'the provider sent no "email" that can be used: see OIDC_SCOPES',
      ],
    ])('refuses somebody %s, and says so in the log, which names nobody', async (_, fields, reason) => {
      provider.account = { ...provider.account, ...fields };
      const before = strict.log.length;
      const browser = new Browser(strict);
      expect(await browser.callBack(await browser.untilBack())).toMatch(/console#\/sign-in\/refused$/);
      expect(browser.isSignedIn).toBe(false);
      const lines = strict.log.slice(before);
      expect(lines).toEqual([
        expect.stringContaining(JSON.stringify(`A sign-in with OpenID Connect failed: ${reason}`)),
      ]);
      expect(lines[0]).not.toContain(email);
    });

    it('says in the log what the provider says of its error', async () => {
      const before = strict.log.length;
      const browser = new Browser(strict);
      const { searchParams } = await browser.untilBack();
      const error = { error: 'access_denied', error_description: 'not in the group', iss: provider.issuer };
      const search = `?${new URLSearchParams({ ...error, state: searchParams.get('state')! }).toString()}`;
      await browser.callBack({ search });
      expect(strict.log.slice(before)).toEqual([expect.stringContaining('access_denied: not in the group')]);
    });
  });

  it.each<[string, NodeJS.ProcessEnv, Partial<Account>]>([
    [
      'Keycloak',
      { OIDC_ROLES_CLAIM: 'realm_access.roles' },
      { idToken: { realm_access: { roles: ['offline_access', 'admins'] } } },
    ],
    [
      'Microsoft Entra ID',
      {
        OIDC_TRUST_EMAIL: 'true',
        OIDC_ROLES: '7f6f0e5c-0000-4000-8000-1a2b3c4d5e6f:owner',
        OIDC_ROLES_CLAIM: 'groups',
      },
      { email_verified: undefined, idToken: { oid: 'ada', groups: ['7f6f0e5c-0000-4000-8000-1a2b3c4d5e6f'] } },
    ],
    [
      'Amazon Cognito',
      { OIDC_ROLES_CLAIM: 'cognito:groups' },
      { email_verified: 'true', idToken: { email_verified: true, 'cognito:groups': ['admins'] } },
    ],
    [
      'Keycloak with roles of a client whose name has dots',
      { OIDC_ROLES_CLAIM: 'resource_access.flows.acme.example.roles' },
      { idToken: { resource_access: { flows: {}, 'flows.acme.example': { roles: ['admins'] } } } },
    ],
    [
      'Zitadel',
      { OIDC_ROLES_CLAIM: 'urn:zitadel:iam:org:project:roles' },
      { idToken: { 'urn:zitadel:iam:org:project:roles': { admins: { '2951': 'acme.example' } } } },
    ],
    [
      'one that names groups as LDAP does',
      { OIDC_ROLES: 'CN=Staff,DC=acme:viewer,CN=Admins,OU=Groups,DC=acme:owner' },
      { groups: ['CN=Admins,OU=Groups,DC=acme'] },
    ],
    ['Google, which has no groups', { OIDC_ROLES_CLAIM: '', OIDC_ROLES: '' }, { idToken: { hd: 'acme.example' } }],
  ])('signs in with a provider that behaves as %s', async (name, settings, account) => {
    const at = await Service.start({
      OIDC_ISSUER: provider.issuer,
      ...CLIENT,
      OIDC_ROLES: 'admins:owner',
      OIDC_ROLES_CLAIM: 'groups',
      PUBLIC_URL: 'https://flows.acme.example',
      ...settings,
    });
    provider.account = { ...provider.account, ...account };
    if (name.startsWith('Google')) await invite('owner');
    const { body } = await (await signIn(at)).client.get(ME);
    expect(body).toMatchObject({ email, workspaces: [{ role: 'owner' }] });
    await at.stop();
  });

  it('asks for the scopes of OIDC_SCOPES', async () => {
    const at = await Service.start({ OIDC_ISSUER: provider.issuer, ...CLIENT, OIDC_SCOPES: 'openid email groups' });
    const response = await new Browser(at).get(`${at.client.baseUrl}/api/v1/auth/openid`);
    expect(new URL(response.headers.get('location')!).searchParams.get('scope')).toBe('openid email groups');
    await at.stop();
  });

  it.each<[string, Account['email_verified']]>([
    ['says so as a text', 'true'],
    ['says nothing, and the operator trusts it', undefined],
  ])('takes an address as verified if the provider %s', async (_, email_verified) => {
    await invite();
    provider.account = { ...provider.account, email_verified };
    expect((await signIn(email_verified ? service : trusting)).isSignedIn).toBe(true);
  });

  it.each<[string, Account['email_verified'], () => Service]>([
    ['says nothing', undefined, () => service],
    ['says no, even where the operator trusts it', false, () => trusting],
    ['says no as a text', 'false', () => trusting],
  ])('does not take an address as verified if the provider %s', async (_, email_verified, at) => {
    await invite();
    provider.account = { ...provider.account, email_verified };
    expect((await signIn(at())).isSignedIn).toBe(false);
  });

  it('lets nobody in by the invitation of somebody who owns the workspace no more', async () => {
    const withPasswords = await Service.start();
    const owner = await withPasswords.person(acme);
    await withPasswords.person(acme);
    const { body } = await owner.post('/api/v1/public/invitations', { email, role: 'owner' });
    // As if it had been made at the moment in which its maker was demoted.
    await service.database.query(`UPDATE members SET role = 'editor' WHERE workspace_id = $1 AND person_id = $2`, [
      acme.id,
      (await owner.get(ME)).body.actor.id,
    ]);
    expect(body.id).toBeDefined();
    expect((await signIn()).isSignedIn).toBe(false);
    await withPasswords.stop();
  });

  it('makes one person of all who have the address, in the workspaces of all', async () => {
    const withPasswords = await Service.start();
    const other = await service.workspace({ name: 'Other' });
    const accept = async ({ id }: Tenant, role: string, password: string) => {
      const invitation = { email, role };
      const path = `/api/v1/admin/workspaces/${id}/invitations`;
      const { link } = (await service.operator.post(path, invitation)).body;
      const acceptance = { token: tokenIn(link), name: 'Ada', password };
      return withPasswords.client.signedIn(
        await withPasswords.client.post('/api/v1/auth/invitation/accept', acceptance),
      );
    };
    const early = [await accept(acme, 'viewer', 'the first password'), await accept(other, 'owner', 'the second one')];
    // Two people of a workspace with one address, which nobody has proven.
    await service.database.query(
      `INSERT INTO members (workspace_id, person_id, role, digest, digest_due_at, created_at)
      SELECT $1, person_id, 'editor', 'weekly', now() + interval '1 day', now() FROM members WHERE workspace_id = $2`,
      [acme.id, other.id],
    );
    const { client } = await signIn();
    const { workspaces } = (await client.get(ME)).body;
    const { people } = (await client.get('/api/v1/public/people', { 'Workspace-Id': acme.id })).body;
    expect(people).toMatchObject([{ email, role: 'editor', digest: 'weekly' }]);
    expect(workspaces).toMatchObject([
      { name: 'Acme', role: 'editor' },
      { name: 'Other', role: 'owner' },
    ]);
    for (const person of early) expect((await person.get(ME)).status).toBe(401);
    await withPasswords.stop();
  });

  it('takes the next holder of an address for another person, who has to be let in as anybody', async () => {
    await invite('owner');
    const former = await signIn();
    provider.account = { ...provider.account, sub: `next-${acme.id}`, name: 'Grace' };
    expect((await signIn()).isSignedIn).toBe(false);
    provider.account.groups = ['team'];
    const { actor } = (await (await signIn()).client.get(ME)).body;
    expect(actor.name).toBe('Grace');
    expect((await former.client.get(ME)).body).toMatchObject({ workspaces: [{ role: 'owner' }] });
    // The former one comes with another address, and with this one again.
    for (const own of [`new-${email}`, email]) {
      provider.account = { sub: acme.id, email: own, email_verified: true, name: 'Ada' };
      expect((await (await signIn()).client.get(ME)).body).toMatchObject({ email: own, actor: { name: 'Ada' } });
    }
  });

  describe('with groups', () => {
    let syncing: Service;
    let first: { id: string };
    let owner: Client;

    beforeAll(async () => {
      syncing = await Service.start({ ...settings, OIDC_ROLES_SYNC: 'true' });
      const [{ id }] = await service.database.query<{ id: string }[]>('SELECT id FROM workspaces ORDER BY id LIMIT 1');
      first = { id };
    });
    afterAll(() => syncing.stop());
    beforeEach(async () => {
      // Somebody else owns it, as there is always somebody.
      provider.account = {
        sub: `owner-of-${acme.id}`,
        email: `owner-${email}`,
        email_verified: true,
        groups: ['admins'],
      };
      owner = (await signIn()).client;
      provider.account = { sub: acme.id, email, email_verified: true, name: 'Ada' };
    });

    const signInAs = async (at: Service, ...groups: string[]): Promise<string | undefined> => {
      provider.account.groups = groups;
      const browser = await signIn(at);
      if (!browser.isSignedIn) return undefined;
      const { workspaces } = (await browser.client.get(ME)).body;
      return workspaces.find(({ id }: { id: string }) => id === first.id)?.role ?? 'none';
    };
    const personId = async () =>
      (await service.database.query('SELECT id FROM people WHERE email = $1', [email]))[0].id;
    const remove = async () => owner.delete(`/api/v1/public/people/${await personId()}`);
    const inviteToFirst = (role: string) =>
      service.operator.post(`/api/v1/admin/workspaces/${first.id}/invitations`, { email, role });

    it('keeps the role of the first sign-in', async () => {
      expect(await signInAs(service, 'team')).toBe('editor');
      expect(await signInAs(service, 'admins')).toBe('editor');
      expect(await signInAs(service)).toBe('editor');
    });

    it('follows them with OIDC_ROLES_SYNC, up and down, and lets nobody stay whom they alone brought', async () => {
      expect(await signInAs(syncing, 'team')).toBe('editor');
      const ids = new Set([await personId()]);
      expect(await signInAs(syncing, 'admins')).toBe('owner');
      expect(await signInAs(syncing, 'team')).toBe('editor');
      expect(await signInAs(syncing, 'others')).toBeUndefined();
      expect(await service.database.query('SELECT FROM people WHERE email = $1', [email])).toEqual([]);
      expect(await signInAs(syncing, 'team')).toBe('editor');
      ids.add(await personId());
      const { changes } = (await owner.get('/api/v1/public/changes?limit=20')).body;
      const told = changes
        .filter(({ actor }: { actor: { id: string } }) => ids.has(actor.id))
        .map(({ action }: { action: string }) => action)
        .filter((action: string) => action !== 'person.signed_in');
      expect(told).toEqual([
        'person.joined',
        'person.removed',
        'person.role_changed',
        'person.role_changed',
        'person.joined',
      ]);
    });

    it('leaves the role that people gave when groups give none', async () => {
      await inviteToFirst('viewer');
      expect(await signInAs(syncing, 'admins')).toBe('owner');
      expect(await signInAs(syncing, 'team')).toBe('editor');
      expect(await signInAs(syncing)).toBe('viewer');
      await owner.put(`/api/v1/public/people/${await personId()}`, { role: 'editor' });
      expect(await signInAs(syncing)).toBe('editor');
    });

    it('never takes the last owner', async () => {
      expect(await signInAs(syncing, 'admins')).toBe('owner');
      const others = await service.database.query(
        `UPDATE members SET role = 'editor' WHERE workspace_id = $1 AND role = 'owner' AND person_id <> $2 RETURNING person_id`,
        [first.id, await personId()],
      );
      expect(await signInAs(syncing, 'team')).toBe('owner');
      expect(await signInAs(syncing)).toBe('owner');
      for (const { person_id } of others[0])
        await service.database.query(`UPDATE members SET role = 'owner' WHERE person_id = $1`, [person_id]);
    });

    it('brings nobody back who was removed, until they are invited anew', async () => {
      for (const at of [service, syncing]) {
        expect(await signInAs(at, 'admins')).toBe('owner');
        expect((await remove()).status).toBe(200);
        expect(await signInAs(at, 'admins')).toBeUndefined();
        provider.account.email = `new-${email}`;
        expect(await signInAs(at, 'admins')).toBeUndefined();
        provider.account.email = email;
        await inviteToFirst('viewer');
        expect(await signInAs(at, 'admins')).toBe(at === syncing ? 'owner' : 'viewer');
        await remove();
        await service.database.query('DELETE FROM removed_members');
      }
    });

    it('gives one who signs in twice at once one membership', async () => {
      const roles = await Promise.all([1, 2, 3].map(() => signInAs(syncing, 'team')));
      expect(roles).toEqual(['editor', 'editor', 'editor']);
    });
  });

  it('ends the password and the sessions of a person who signs in for the first time', async () => {
    const [withPasswords, other] = [await Service.start(), acme];
    const early = await withPasswords.person(other, 'viewer', email);
    expect((await early.get(ME)).status).toBe(200);
    const late = await signIn();
    expect([(await early.get(ME)).status, (await late.client.get(ME)).status]).toEqual([401, 200]);
    const [{ password }] = await service.database.query('SELECT password FROM people WHERE email = $1', [email]);
    expect(password).toBeNull();
    await withPasswords.stop();
  });

  it('takes an answer only in the browser that asked, and once', async () => {
    await invite();
    const [ada, victim] = [new Browser(), new Browser()];
    const back = await ada.untilBack();
    await victim.untilBack();
    await victim.callBack(back);
    expect(victim.isSignedIn).toBe(false);
    await ada.callBack(back);
    expect(ada.isSignedIn).toBe(true);
    const replayed = new Browser();
    await replayed.callBack(back);
    expect(replayed.isSignedIn).toBe(false);
  });

  it.each([
    ['another state', 'state'],
    ['another code', 'code'],
    ['another issuer', 'iss'],
  ])('refuses an answer with %s', async (_, parameter) => {
    await invite();
    const browser = new Browser();
    const back = await browser.untilBack();
    back.searchParams.set(parameter, parameter === 'iss' ? 'https://evil.example' : 'A'.repeat(43));
    await browser.callBack(back);
    expect(browser.isSignedIn).toBe(false);
  });

  it('turns passwords off with PASSWORDS=off', async () => {
    const { status, body } = await service.client.post('/api/v1/auth/session', { email, password: 'a password' });
    expect([status, body.code]).toEqual([403, 'passwords_off']);
    expect((await service.client.get('/api/v1/auth')).body).toEqual({ password: false, openid: true });
  });

  it('is 503 while the provider is away, and 404 without one', async () => {
    const away = await Service.start({ OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`, ...CLIENT });
    const without = await Service.start();
    const statuses = [away, without].map(({ client }) => fetch(`${client.baseUrl}/api/v1/auth/openid`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([503, 404]);
    await Promise.all([away.stop(), without.stop()]);
  });
});
