import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/client';
import {
  claimsFor,
  CUSTOMER_KEYS,
  encoded,
  ownKey,
  secretKey,
  signed,
  type SigningKey,
  tokenOf,
} from '../support/customer-token';
import { Service, Tenant } from '../support/service';

const INIT = '/api/v1/runtime/session/init';
const SETTINGS = '/api/v1/public/workspace';
const SESSIONS = '/api/v1/public/sessions';
const CANCELLATION_URL = 'https://acme.example/cancel';

describe('A start with a customer token', () => {
  let service: Service;
  /** A second process. */
  let other: Service;
  let acme: Tenant;
  let flow_slug: string;
  let key: SigningKey;

  beforeAll(async () => {
    [service, other] = await Promise.all([Service.start(), Service.start()]);
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
    flow_slug = (await acme.publishedFlow()).slug;
    key = await secretKey(acme.client);
  });

  const token = (claims: object = {}, by = key) => tokenOf(by, {}, claimsFor(acme, claims));
  const init = (body: object, headers?: Record<string, string>, on = service) =>
    on.client.post(INIT, { flow_slug, ...body }, headers);
  const start = (customer_token: string, on = service) => init({ customer_token }, undefined, on);
  const remove = ({ id }: SigningKey) => acme.client.delete(`${CUSTOMER_KEYS}/${id}`);
  const require = () => acme.client.put(SETTINGS, { require_customer_token: true });
  const record = async ({ body }: Answer) => (await acme.client.get(`${SESSIONS}/${body.session_id}`)).body;

  function expectRefusal({ status, headers, body }: Answer): void {
    expect([status, body.code, body.cancellation_url]).toEqual([401, 'invalid_customer_token', CANCELLATION_URL]);
    expect(headers.get('www-authenticate')).toBe('CustomerToken realm="retention-flow"');
  }

  it.each<[string, (tenant: Tenant) => Promise<SigningKey>]>([
    ['HS256', (tenant) => secretKey(tenant.client)],
    ['EdDSA', (tenant) => ownKey(tenant.client)],
  ])('begins a session of the customer that it names: %s', async (_, create) => {
    const by = await create(acme);
    const attributes = { plan: 'pro', seats: 12, trial: false, coupon: null };
    const answer = await start(token({ sub: 'cus_1', email: 'ada@example.com', attributes }, by));
    expect(answer.status).toBe(201);
    expect(await record(answer)).toMatchObject({
      customer_id: 'cus_1',
      customer: { email: 'ada@example.com', attributes },
      customer_verified: true,
    });
    const { sessions } = (await acme.client.get(SESSIONS)).body;
    expect(sessions).toMatchObject([{ customer_id: 'cus_1', customer_verified: true }]);
  });

  it('is told apart from one whose customer the page names, and from one without', async () => {
    for (const customer of [{ id: 'cus_1' }, undefined]) {
      expect(await record(await init({ customer }))).toMatchObject({ customer_verified: false });
    }
  });

  it('is good for the flow that the token names, and for no other', async () => {
    const another = (await acme.publishedFlow()).slug;
    expect((await start(token({ flow: flow_slug }))).status).toBe(201);
    for (const flow of [another, '', null, [flow_slug]]) {
      const answer = await start(token({ flow }));
      expectRefusal(answer);
      expect(answer.body.reason).toBe('wrong_flow');
    }
  });

  it.each<[string, string | undefined, (tenant: Tenant) => string]>([
    ['text', undefined, () => 'token'],
    ['no text at all', undefined, () => ''],
    ['text that is not ASCII', undefined, () => '💸.💸.💸'],
    ['expired', 'expired', () => token({ iat: now() - 600, exp: now() - 90 })],
    ['for longer than an hour', 'wrong_lifetime', () => token({ exp: now() + 3700 })],
    ['issued in the future', 'not_yet_valid', () => token({ iat: now() + 300 })],
    ['for another workspace', 'wrong_audience', () => token({ aud: randomUUID() })],
    ['without a customer', 'invalid_claims', () => token({ sub: undefined })],
    ['for a customer whose id is empty', 'invalid_claims', () => token({ sub: '' })],
    ['for a customer called .', 'invalid_claims', () => token({ sub: '.' })],
    ['for a customer called ..', 'invalid_claims', () => token({ sub: '..' })],
    ['for a customer whose id is too long', 'invalid_claims', () => token({ sub: 'x'.repeat(201) })],
    ['for a customer whose id is no text', 'invalid_claims', () => token({ sub: 4711 })],
    ['for an attribute that cannot be stored', 'invalid_claims', () => token({ attributes: { 'a\0b': 1 } })],
    ['signed with another secret', undefined, () => token({}, { ...key, key: 'another' })],
    ['of a key that nobody has', undefined, () => token({}, { ...key, id: randomUUID() })],
    ['not signed', undefined, () => tokenOf(key, { alg: 'none' }, claimsFor(acme)).replace(/[^.]+$/, '')],
    ['of another type', 'wrong_type', () => tokenOf(key, { typ: 'JWT' }, claimsFor(acme))],
    ['about nothing', undefined, () => signed(`${encoded({ alg: 'HS256', kid: key.id })}.${encoded('null')}`, key.key)],
  ])('is refused with the way out when it is %s, with the reason %s, and counts nothing', async (_, reason, make) => {
    const answer = await start(make(acme));
    expectRefusal(answer);
    expect(answer.body.reason).toBe(reason);
    expect((await acme.usage()).sessions_used).toBe(0);
  });

  it.each<[string, object, string[]]>([
    ['an e-mail address that is none', { email: 'ada' }, ['/email']],
    ['an e-mail address of no domain', { email: 'ada@localhost' }, ['/email']],
    ['an e-mail address with a space behind it', { email: 'ada@example.com ' }, ['/email']],
    ['an e-mail address that is empty', { email: '' }, ['/email']],
    ['an e-mail address that is null', { email: null }, ['/email']],
    ['attributes in attributes', { attributes: { plan: { name: 'pro' } } }, ['/attributes/plan']],
    ['a long attribute', { attributes: { company: 'x'.repeat(1001) } }, ['/attributes/company']],
    ['attributes that are a list', { attributes: ['pro'] }, ['/attributes']],
    ['a subscription that is null', { subscription: null }, ['/subscription']],
    ['a subscription that is text', { subscription: 'sub_1' }, ['/subscription']],
    ['a customer of the billing system that is a number', { customer_id: 4711 }, ['/customer_id']],
    [
      'several of them',
      { email: null, attributes: null, customer_id: null },
      ['/customer_id', '/email', '/attributes'],
    ],
  ])('starts without an optional claim that breaks a rule, and names it: %s', async (_, claims, pointers) => {
    const good = { email: 'ada@example.com', attributes: { plan: 'pro' } };
    const answer = await start(token({ ...good, ...claims }));
    const { status, body } = answer;
    expect([status, body.warnings.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([201, pointers]);
    const { customer_id, customer_verified, customer, subscription } = await record(answer);
    const kept = Object.fromEntries(Object.entries(good).filter(([name]) => !(name in claims)));
    expect({ customer_id, customer_verified, subscription }).toEqual({
      customer_id: 'cus_4711',
      customer_verified: true,
      subscription: null,
    });
    expect(customer).toEqual(kept);
  });

  it('keeps the other attributes when one is left out', async () => {
    const answer = await start(token({ attributes: { plan: 'pro', company: 'x'.repeat(1001) } }));
    expect(answer.body.warnings).toMatchObject([{ pointer: '/attributes/company' }]);
    expect((await record(answer)).customer.attributes).toEqual({ plan: 'pro' });
  });

  it('names no claim when all are good', async () => {
    const { status, body } = await start(token({ email: 'ada@example.com' }));
    expect([status, body.warnings]).toEqual([201, undefined]);
  });

  it('is refused when a key of another workspace signed it', async () => {
    const foreign = await secretKey((await service.workspace()).client);
    expectRefusal(await start(token({}, foreign)));
  });

  it('is refused without a way out on a flow that was never published', async () => {
    flow_slug = (await acme.flow()).slug;
    const { status, body } = await start('token');
    expect([status, body.code]).toEqual([401, 'invalid_customer_token']);
    expect(body).not.toHaveProperty('cancellation_url');
  });

  it.each<[string, () => object]>([
    ['also has a customer', () => ({ customer: { id: 'cus_1' }, customer_token: token() })],
    ['has a token of more than 4,096 characters', () => ({ customer_token: 'x'.repeat(4097) })],
    ['has a token that is no text', () => ({ customer_token: {} })],
    ['has a token that is null', () => ({ customer_token: null })],
  ])('is malformed when it %s', async (_, body) => {
    const { status, body: problem } = await init(body());
    expect([status, problem.errors?.[0].pointer]).toEqual([400, '/customer_token']);
  });

  it('takes a token of 4,096 characters', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`a${n}`, 'x'.repeat(900)]));
    const padding = 4096 - token({ attributes, pad: '' }).length;
    const long = token({ attributes, pad: 'x'.repeat(Math.floor((padding * 3) / 4)) });
    expect(long.length).toBeGreaterThan(4090);
    expect((await start(long)).status).toBe(201);
  });

  describe('whose keys change', () => {
    it('is good with each of several keys, and with no deleted one from the next request on, in every process', async () => {
      const next = await ownKey(acme.client);
      for (const on of [service, other]) {
        for (const by of [key, next]) expect((await start(token({}, by), on)).status).toBe(201);
      }
      await remove(key);
      for (const on of [other, service]) {
        expectRefusal(await start(token({}, key), on));
        expect((await start(token({}, next), on)).status).toBe(201);
      }
    });

    it('is good with a new key from the next request on, in every process', async () => {
      for (const on of [service, other]) expect((await start(token(), on)).status).toBe(201);
      const next = await secretKey(acme.client);
      for (const on of [service, other]) expect((await start(token({}, next), on)).status).toBe(201);
    });

    it('is refused after the key was deleted, also among others that are good', async () => {
      const next = await secretKey(acme.client);
      await Promise.all([start(token()), start(token({}, next), other)]);
      await remove(key);
      const together = (by: SigningKey) => Array.from({ length: 10 }, () => start(token({}, by), other));
      const [old, good] = await Promise.all([Promise.all(together(key)), Promise.all(together(next))]);
      for (const answer of old) expectRefusal(answer);
      expect(good.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    });
  });

  describe('in a workspace that requires one', () => {
    it('is the only one that begins a session, from the next request on, in every process', async () => {
      for (const on of [service, other]) expect((await init({}, undefined, on)).status).toBe(201);
      await require();
      for (const on of [other, service]) {
        const without = await init({}, undefined, on);
        expectRefusal(without);
        expect(without.body.reason).toBe('missing');
        expectRefusal(await init({ customer: { id: 'cus_1' } }, undefined, on));
        expect((await start(token(), on)).status).toBe(201);
      }
      await acme.client.put(SETTINGS, { require_customer_token: false });
      for (const on of [service, other]) expect((await init({}, undefined, on)).status).toBe(201);
    });

    it('is not kept out by strangers, who use up nothing of the limit', async () => {
      await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 2 });
      await require();
      const strangers = Array.from({ length: 20 }, (_, n) => (n % 2 ? start('token') : init({})));
      const [honest, ...refused] = await Promise.all([start(token()), ...strangers]);
      expect(honest.status).toBe(201);
      for (const answer of refused) expectRefusal(answer);
      expect((await acme.usage()).sessions_used).toBe(1);
    });
  });

  describe('and an Idempotency-Key', () => {
    const headers = () => ({ 'idempotency-key': randomUUID() });

    it('gets the same session with a fresh token for the same customer, counted once', async () => {
      const sent = headers();
      const claims = { email: 'ada@example.com', attributes: { a: 1, b: 2 } };
      const first = await init({ customer_token: token({ ...claims, iat: now() - 60 }) }, sent);
      const again = await init({ customer_token: token({ ...claims, attributes: { b: 2, a: 1 } }) }, sent);
      const next = await init({ customer_token: token(claims, await ownKey(acme.client)) }, sent);
      expect([again.body.session_id, next.body.session_id]).toEqual([first.body.session_id, first.body.session_id]);
      expect((await acme.usage()).sessions_used).toBe(1);
    });

    it('is 422 for another customer, and for the same one without a signature', async () => {
      const sent = headers();
      await init({ customer_token: token({ sub: 'cus_1' }) }, sent);
      for (const body of [
        { customer_token: token({ sub: 'cus_2' }) },
        { customer_token: token({ sub: 'cus_1', email: 'ada@example.com' }) },
        { customer: { id: 'cus_1' } },
        {},
      ])
        expect((await init(body, sent)).body.code).toBe('idempotency_key_reused');
    });

    it('gets no session with a token that is not good, and leaves the key to one that is', async () => {
      const sent = headers();
      expectRefusal(await init({ customer_token: 'token' }, sent));
      expect((await init({ customer_token: token() }, sent)).status).toBe(201);
      expectRefusal(await init({ customer_token: 'token' }, sent));
    });
  });

  it('says nothing of a signature once the customer is erased', async () => {
    const answer = await start(token({ sub: 'cus_1' }));
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(await record(answer)).toMatchObject({ customer_id: null, customer: null, customer_verified: false });
  });
});

const now = () => Math.floor(Date.now() / 1000);
