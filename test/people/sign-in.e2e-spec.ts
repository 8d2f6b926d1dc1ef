import { Problem } from '../../src/platform/api/problems/problem';
import { Passwords } from '../../src/people/sign-in/passwords';
import { SignInThrottle } from '../../src/people/sign-in/sign-in-throttle';
import { Client } from '../support/client';
import { PASSWORD, Service, Tenant } from '../support/service';

const SESSION = '/api/v1/auth/session';
const ME = '/api/v1/public/me';
const OFFERS = '/api/v1/public/offers';

describe('Signing in', () => {
  let service: Service;
  let acme: Tenant;
  let email: string;
  let person: Client;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    email = `${acme.id}@acme.example`;
    person = await service.person(acme, 'owner', email);
  });

  const signIn = (password = PASSWORD, address = email, headers?: Record<string, string>) =>
    service.client.post(SESSION, { email: address, password }, headers);

  it('sets a cookie that scripts cannot read and other sites cannot send, and answers who it is', async () => {
    const { status, body, headers } = await signIn(PASSWORD, email.toUpperCase());
    expect([status, body]).toEqual([200, { id: expect.any(String), name: 'The owner', email }]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^rf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/),
    ]);
  });

  it('sets a cookie for TLS only, unless the browser is on this machine', async () => {
    const { headers } = await exchanged({ host: 'flows.acme.example' });
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-rf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=/,
    );
  });

  it('gives a new token each time, whatever cookie the browser had', async () => {
    const fixed = `rf=${'A'.repeat(43)}`;
    const tokens = [await signIn(PASSWORD, email, { cookie: fixed }), await signIn()].map(
      ({ headers }) => headers.getSetCookie()[0].split(';')[0],
    );
    expect(new Set([fixed, ...tokens]).size).toBe(3);
    expect((await service.client.get(ME, { cookie: fixed })).status).toBe(401);
  });

  it('says the same of a wrong password and of an address that nobody has', async () => {
    const answers = [await signIn('a wrong password'), await signIn(PASSWORD, 'nobody@acme.example')];
    for (const { status, body } of answers) {
      expect([status, body.code, body.detail]).toEqual([
        401,
        'wrong_credentials',
        'The e-mail address or the password is wrong.',
      ]);
    }
  });

  it('is refused for 15 minutes after 10 failures at an account, known or not, while others sign in', async () => {
    const other = `other-${email}`;
    await service.person(acme, 'viewer', other);
    for (const address of [email, `nobody-${email}`]) {
      for (let failures = 0; failures < 10; failures++) {
        expect((await signIn('a wrong password', address)).status).toBe(401);
      }
      const { status, headers } = await signIn(PASSWORD, address);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
    }
    expect((await signIn(PASSWORD, other)).status).toBe(200);
    // Who is signed in stays so.
    expect((await person.get(ME)).status).toBe(200);
  });

  it('is refused to an address after 50 failures at whatever accounts, and to no other', async () => {
    const throttle = service.app.get(SignInThrottle);
    const attempt = (account: string, address: string, result?: string) =>
      throttle.run(`${account}-${email}`, address, () => Promise.resolve(result)).catch(({ code }: Problem) => code);
    for (let n = 0; n < 50; n++) expect(await attempt(`guessed-${n}`, '192.0.2.7')).toBeUndefined();
    expect(await attempt('another', '192.0.2.7', 'in')).toBe('too_many_requests');
    expect(await attempt('guessed-1', '192.0.2.8', 'in')).toBe('in');
  });

  it('does not count as a failure what the service was too busy to compare', async () => {
    const passwords = service.app.get(Passwords);
    const busy = jest.spyOn(passwords, 'isRight').mockRejectedValue(new Problem('service_unavailable'));
    for (let attempt = 0; attempt < 12; attempt++) expect((await signIn()).status).toBe(503);
    busy.mockRestore();
    expect((await signIn()).status).toBe(200);
  });

  it('lets no more than 10 guesses at an account through at once', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => signIn('a wrong password')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true);
  });

  it.each(['session', 'setup', 'password', 'invitation', 'invitation/accept'])(
    'gets 400, 401 or 404 for any value of any field, never 500: %s',
    async (route) => {
      const valid = { token: 'A'.repeat(43), email, name: 'Ada', password: 'a wrong password' };
      const fields = { session: ['email', 'password'], invitation: ['token'], password: ['token', 'password'] }[route];
      for (const field of fields ?? ['token', 'name', 'password']) {
        for (const value of [null, true, 0, '', ' ', 'x'.repeat(6000), '\uffff', [], {}, ['a'], { length: 1e9 }]) {
          const sent = Object.fromEntries((fields ?? Object.keys(valid)).map((name) => [name, valid[name as 'name']]));
          const { status } = await service.client.post(`/api/v1/auth/${route}`, { ...sent, [field]: value });
          expect([field, value, [400, 401, 404].includes(status)]).toEqual([field, value, true]);
        }
      }
    },
  );

  it('from a page of another site is refused', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as object[]) {
      const { status, body } = await signIn(PASSWORD, email, headers as Record<string, string>);
      expect([status, body.code]).toEqual([403, 'cross_site']);
    }
  });

  describe('The session', () => {
    it.each([
      ['its page', { 'sec-fetch-site': 'cross-site' }],
      ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
      ['the origin of another', { origin: 'https://evil.example' }],
      ['an origin that hides', { origin: 'null' }],
      ['no origin', { origin: undefined }],
    ])('changes nothing for another site: %s', async (_, headers) => {
      const cookie = (await signIn()).headers.getSetCookie()[0].split(';')[0];
      const sent = JSON.parse(JSON.stringify({ cookie, ...headers })) as Record<string, string>;
      const { status, body } = await service.client.post(OFFERS, { name: 'Mine', offer_type: 'custom' }, sent);
      expect([status, body.code]).toEqual([403, 'cross_site']);
      expect((await person.get(OFFERS)).body.offers).toEqual([]);
    });

    it('takes JSON only: a form of another site gets no further', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await person.send('POST', OFFERS, { headers, body: 'name=Mine' })).status).toBe(415);
    });

    it('ends 12 hours after the last request', async () => {
      await passFor('11 hours');
      expect((await person.get(ME)).status).toBe(200);
      await passFor('11 hours');
      expect((await person.get(ME)).status).toBe(200);
      await passFor('12 hours');
      expect((await person.get(ME)).status).toBe(401);
    });

    it('ends after 30 days, however much it is used', async () => {
      await service.database.query(
        `UPDATE person_sessions SET created_at = created_at - interval '30 days' WHERE person_id = $1`,
        [await idOf(person)],
      );
      expect((await person.get(ME)).status).toBe(401);
    });

    it('ends by signing out, and the others go on', async () => {
      const second = service.client.signedIn(await signIn());
      const { headers } = await person.delete(`${ME}/session`);
      expect(headers.getSetCookie()[0]).toMatch(/^rf=; .*Max-Age=0$/);
      expect([(await person.get(ME)).status, (await second.get(ME)).status]).toEqual([401, 200]);
    });

    it('ends in all browsers by signing out everywhere', async () => {
      const second = service.client.signedIn(await signIn());
      await person.delete(`${ME}/sessions`);
      expect([(await person.get(ME)).status, (await second.get(ME)).status]).toEqual([401, 401]);
    });

    it('is stored as a hash, and the password as scrypt with the parameters of OWASP', async () => {
      const token = (await signIn()).headers.getSetCookie()[0].slice(3, 46);
      const [{ found }] = await service.database.query(
        `SELECT count(*)::int AS found FROM person_sessions WHERE hash = sha256($1::bytea)`,
        [token],
      );
      expect(found).toBe(1);
      const [{ password }] = await service.database.query('SELECT password FROM people WHERE email = $1', [email]);
      expect(password).toMatch(/^scrypt\$2\$1\$1\$[\w-]{22}\$[\w-]{43}$/);
      expect(await new Passwords().store(PASSWORD, email)).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    });
  });

  describe('A new password', () => {
    it('takes the one before, and ends the sessions in other browsers', async () => {
      const second = service.client.signedIn(await signIn());
      const change = { current_password: PASSWORD, password: 'another good password' };
      expect((await person.put(`${ME}/password`, change)).status).toBe(200);
      expect([(await person.get(ME)).status, (await second.get(ME)).status]).toEqual([200, 401]);
      expect([(await signIn()).status, (await signIn('another good password')).status]).toEqual([401, 200]);
    });

    it('is refused with a wrong one before', async () => {
      const change = { current_password: 'a wrong password', password: 'another good password' };
      expect((await person.put(`${ME}/password`, change)).body.code).toBe('wrong_credentials');
    });
  });

  const idOf = async (client: Client): Promise<string> => (await client.get(ME)).body.actor.id;

  /** Lets time pass for the sessions of the person. */
  async function passFor(interval: string): Promise<void> {
    await service.database.query(
      `UPDATE person_sessions SET last_used_at = last_used_at - $1::interval
        WHERE person_id = (SELECT id FROM people WHERE email = $2)`,
      [interval, email],
    );
  }

  /** Signs in under another host, which fetch can't send. */
  async function exchanged({ host }: { host: string }): Promise<{ headers: Headers }> {
    const fastify = service.app.getHttpAdapter().getInstance();
    const { headers } = await fastify.inject({
      method: 'POST',
      url: SESSION,
      headers: { host, 'content-type': 'application/json' },
      payload: { email, password: PASSWORD },
    });
    return { headers: new Headers({ 'set-cookie': String(headers['set-cookie']) }) };
  }
});
