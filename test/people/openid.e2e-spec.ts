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
    provider.account = { ...provider.account, email: `new-${email}` };
    expect((await (await signIn()).client.get(ME)).body).toMatchObject({ email, role: 'editor' });
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
    ['Google, which has no groups', { OIDC_ROLES_CLAIM: '', OIDC_ROLES: '' }, { idToken: { hd: 'acme.example' } }],
  ])('signs in with a provider that behaves as %s', async (name, settings, account) => {
    const at = await Service.start({
      OIDC_ISSUER: provider.issuer,
      ...CLIENT,
      OIDC_ROLES: 'admins:owner',
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
    const { workspaces } = (await (await signIn()).client.get(ME)).body;
    expect(workspaces).toMatchObject([
      { name: 'Acme', role: 'viewer' },
      { name: 'Other', role: 'owner' },
    ]);
    for (const person of early) expect((await person.get(ME)).status).toBe(401);
    await withPasswords.stop();
  });

  it('refuses somebody else at the provider who now has the address', async () => {
    await invite();
    await signIn();
    provider.account = { ...provider.account, sub: `another-${acme.id}` };
    expect((await signIn()).isSignedIn).toBe(false);
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
