import { migrate } from '../src/platform/database/schema/migrate';
import { Abandonment } from '../src/events/abandonment/abandonment';
import { StripeDouble } from './billing/stripe-double';
import { billingAt, Subscribers } from './billing/subscriber';
import { claimsFor, secretKey, tokenOf } from './support/customer-token';
import { Databases } from './support/databases';
import { Receiver, TO_LOOPBACK, verify } from './support/receiver';
import { png } from './support/pictures';
import { Service } from './support/service';

/** Tables of the whole service. */
const OF_NO_WORKSPACE = new Set(['people', 'person_sessions']);
const RUNTIME = '/api/v1/runtime/session';

/** What a clock that is ahead or behind must not reach. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

describe('A process whose clock is wrong', () => {
  // What it makes gets ids of that time, which would come first in the lists of other tests.
  const databases = new Databases();
  let service: Service;
  let receiver: Receiver;
  let stripe: StripeDouble;

  beforeAll(async () => {
    const url = await databases.create();
    await migrate(url);
    // Nothing listens on the port of the mail server.
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'flows@acme.example' };
    stripe = await StripeDouble.start();
    service = await Service.start({ DATABASE_URL: url, ...TO_LOOPBACK, ...billingAt(stripe), ...mail });
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await stripe.stop();
    await databases.dropAll();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const setClock = (time: string) => jest.useFakeTimers({ now: new Date(time), doNotFake: [...TIMERS] });
  const init = (flow: { slug: string }, customer?: object) =>
    service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, customer });

  it.each(['2031-06-15T12:00:00Z', '2001-06-15T12:00:00Z'])('dates nothing by it: %s', async (time) => {
    const iat = Math.floor(Date.now() / 1000);
    setClock(time);
    const acme = await service.workspace();
    const { client } = acme;
    const offer = await acme.offer();
    await client.put(`/api/v1/public/offers/${offer.id}`, { heading: 'Stay' });
    const { secret } = (await client.post('/api/v1/public/webhooks', { url: receiver.url + acme.id })).body;
    const exit = { enabled: true, kinds: ['withdrawal'] };
    const flow = await acme.publishedFlow({ offer_ids: [offer.id], notification_email: 'team@acme.example', exit });
    await client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Renamed' });
    await client.send('POST', `/api/v1/public/flows/${flow.id}/preview`);
    await client.put('/api/v1/public/workspace', { name: 'Acme Inc.' });
    const when = { all: [{ fact: 'months', is: '>=', value: 12 }] };
    await client.post('/api/v1/public/audiences', { name: 'Loyal', when });
    const file = { body: png(3, 3), headers: { 'content-type': 'image/png' } };
    await client.send('POST', '/api/v1/public/images', file);
    const { session_id } = (await init(flow, { id: 'cus_1' })).body;
    await service.client.post(`${RUNTIME}/${session_id}/step`, { node_key: 'start', action: 'continue' });
    await service.client.post(`${RUNTIME}/${session_id}/step`, { action: 'keep' });
    await client.delete('/api/v1/public/customers/cus_1');
    await service.app.get(Abandonment).search();
    const once = { 'idempotency-key': `spare-of-${acme.id}` };
    const key = (await client.post('/api/v1/public/api-keys', { name: 'Spare' }, once)).body;
    await client.delete(`/api/v1/public/api-keys/${key.id}`);
    await client.post('/api/v1/public/customer-keys', { name: 'Spare', algorithm: 'HS256' });
    const paid = { id: 'in_1', customer_id: 'cus_2', type: 'paid', at: '2026-01-01T00:00:00Z' };
    await client.post('/api/v1/public/outcomes', paid);
    const declaration = { kind: 'withdrawal', name: 'Ada', email: 'ada@acme.example', contract: '4711' };
    expect((await service.client.post(`/api/v1/runtime/exit/${flow.slug}`, declaration)).status).toBe(201);
    const subscribers = await Subscribers.of(service, acme);
    stripe.add(acme.id);
    const customer_token = subscribers.token(acme.id, { iat, exp: iat + 600 });
    const discount = {
      name: '30 % off',
      offer_type: 'discount_percentage',
      terms: { percent_off: 30, duration: 'once' },
    };
    const accepted = await subscribers.accepts(undefined, discount, { customer_token });
    expect(await subscribers.ended(accepted)).toMatchObject({ state: 'applied' });
    const person = await service.person(acme);
    await person.post('/api/v1/public/invitations', { email: 'cleo@acme.example', role: 'viewer' });
    const { actor } = (await (await service.person(acme)).get('/api/v1/public/me')).body;
    await service.database.query('UPDATE people SET openid_subject = $1 WHERE id = $2', [acme.id, actor.id]);
    expect((await person.delete(`/api/v1/public/people/${actor.id}`)).status).toBe(200);
    await client.put(`/api/v1/public/flows/${flow.id}/draft`, { name: 'Next' });
    await client.put(`/api/v1/public/offers/${offer.id}/draft`, { heading: 'Next' });
    await client.delete(`/api/v1/public/flows/${flow.id}`);

    const told = () => receiver.received.filter(({ path }) => path === `/${acme.id}`);
    await receiver.until(() => told().length >= 5);
    jest.useRealTimers();
    for (const one of told()) expect(verify(secret, one)).toEqual(one.body);

    const tables: { name: string; columns: string }[] = await service.database.query(
      `SELECT table_name AS name, string_agg(column_name, ', ') AS columns FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
          AND column_name NOT IN ('usage_period', 'expires_at', 'searched_until', 'until', 'at', 'give_up_at', 'next_sweep_at')
        GROUP BY 1`,
    );
    for (const { name, columns } of tables) {
      const [{ dated, wrong }] = await service.database.query(
        `SELECT count(*)::int AS dated, (count(*) FILTER (WHERE abs(extract(epoch FROM now() - time)) > 600))::int AS wrong
          FROM ${name}, unnest(ARRAY[${columns}]) AS time
          WHERE time IS NOT NULL AND ${OF_NO_WORKSPACE.has(name) ? '$1::uuid IS NOT NULL' : `${name === 'workspaces' ? 'id' : 'workspace_id'} = $1`}`,
        [acme.id],
      );
      // What is sent leaves the outbox.
      expect([name, dated > 0 || name === 'outbox', wrong]).toEqual([name, true, 0]);
    }
  });

  it('counts sessions in the month of the database, and takes none from the month to come', async () => {
    const acme = await service.workspace({ session_limit: 3 });
    const flow = await acme.publishedFlow();
    await init(flow);
    const month = await acme.usage();
    for (const time of ['2031-06-15T12:00:00Z', '2001-06-15T12:00:00Z']) {
      setClock(time);
      expect((await init(flow)).status).toBe(201);
      jest.useRealTimers();
    }
    expect((await init(flow)).status).toBe(403);
    expect(await acme.usage()).toEqual({ ...month, sessions_used: 3 });
  });

  it('takes a customer token for as good as any other, from its first to its last second', async () => {
    const acme = await service.workspace();
    const { slug: flow_slug } = await acme.publishedFlow();
    const key = await secretKey(acme.client);
    const good = tokenOf(key, {}, claimsFor(acme));
    const iat = Math.floor(Date.now() / 1000) - 3600;
    const expired = tokenOf(key, {}, claimsFor(acme, { iat, exp: iat + 600 }));
    for (const time of ['2031-06-15T12:00:00Z', '2001-06-15T12:00:00Z']) {
      setClock(time);
      const statuses = [];
      for (const customer_token of [good, expired]) {
        statuses.push((await service.client.post(`${RUNTIME}/init`, { flow_slug, customer_token })).status);
      }
      expect(statuses).toEqual([201, 401]);
      jest.useRealTimers();
    }
  });

  it('reads as any other: what is abandoned, which key has expired, the last 30 days', async () => {
    const acme = await service.workspace();
    const flow = await acme.publishedFlow();
    const { session_id } = (await init(flow)).body;
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { key } = (await acme.client.post('/api/v1/public/api-keys', { name: 'Spare', expires_at })).body;
    const seen = async () => [
      (await service.client.get(`${RUNTIME}/${session_id}`)).body,
      (await acme.client.get('/api/v1/public/sessions?status=in_progress')).body,
      (await acme.client.get(`/api/v1/public/sessions/${session_id}`)).body,
      (await acme.client.get('/api/v1/public/stats')).body,
      (await service.client.with(key).get('/api/v1/public/workspace')).body,
      (await acme.client.post('/api/v1/public/api-keys', { name: 'Another', expires_at })).status,
    ];
    const before = await seen();
    expect(before[0].status).toBe('in_progress');
    expect(before[5]).toBe(201);
    for (const time of ['2031-06-15T12:00:00Z', '2001-06-15T12:00:00Z']) {
      setClock(time);
      expect(await seen()).toEqual(before);
    }
  });
});
