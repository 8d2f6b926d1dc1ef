import { rotateEncryptionKey } from '../../src/billing/connections/rotate-encryption-key';
import { workerDatabaseUrl } from '../support/database';
import { ENCRYPTION_KEY } from '../support/environment';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { API_KEY, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, postEvent, Subscribers, WEBHOOK_SECRET as SECRET } from './subscriber';

const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');

describe('A connection to Stripe', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.forbidden = /^$/;
    acme = await service.workspace();
  });

  const connect = (fields: object) => acme.client.put(CONNECTION, fields);
  const invoicePaid = (subscription: string) => ({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { id: 'in_1', object: 'invoice', parent: { subscription_details: { subscription } } } },
  });
  const post = (event: object, secret: string) => postEvent(service, acme, event, secret);
  const outcomes = () =>
    service.database.query(
      'SELECT id, type, customer_id, amount::int, currency FROM outcomes WHERE workspace_id = $1 ORDER BY id',
      [acme.id],
    );

  it('is changed and disconnected only by whoever has read it as it is, so nothing stale turns it live again', async () => {
    await connect({ provider: 'stripe', api_key: API_KEY, mode: 'live' });
    const stale = (await acme.client.get(CONNECTION)).headers.get('etag')!;
    const changed = await acme.client.put(CONNECTION, { mode: 'dry_run' }, { 'if-match': stale });
    expect(changed.status).toBe(200);
    const late = await acme.client.put(CONNECTION, { mode: 'live', webhook_secret: SECRET }, { 'if-match': stale });
    expect([late.status, late.body.code]).toEqual([412, 'changed_meanwhile']);
    expect((await acme.client.delete(CONNECTION, { 'if-match': stale })).status).toBe(412);
    expect((await acme.client.get(CONNECTION)).body).toEqual(changed.body);
    const now = changed.headers.get('etag')!;
    expect((await acme.client.delete(CONNECTION, { 'if-match': now })).status).toBe(200);
    expect((await acme.client.put(CONNECTION, { mode: 'live' }, { 'if-match': now })).status).toBe(412);
  });

  it('begins in a dry run, is changed field by field, never shows its secrets, and is logged', async () => {
    expect((await acme.client.get(CONNECTION)).status).toBe(404);
    expect((await connect({ mode: 'live' })).body.errors[0].pointer).toBe('/api_key');
    const shown = {
      provider: 'stripe',
      mode: 'dry_run',
      proration: 'create_prorations',
      last_four: 'y7U8',
      is_live: false,
    };
    expect((await connect({ api_key: API_KEY })).body).toMatchObject({ ...shown, is_readable: true });
    const { body } = await connect({ mode: 'live', webhook_secret: SECRET });
    expect(body).toMatchObject({ ...shown, mode: 'live', has_webhook_secret: true });
    expect(JSON.stringify(body)).not.toMatch(/rk_test|whsec/);
    const rows = await service.database.query('SELECT * FROM billing_connections WHERE workspace_id = $1', [acme.id]);
    expect(JSON.stringify(rows.map((row: object) => Object.values(row).map(String)))).not.toMatch(/rk_test|whsec/);
    expect((await acme.client.delete(CONNECTION)).body).toEqual({ deleted: true });
    const { changes } = (await acme.client.get('/api/v1/public/changes')).body;
    expect(changes.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'billing.disconnected',
      'billing.changed',
      'billing.connected',
    ]);
  });

  it('takes restricted keys only, which Stripe takes, too, and is for owners', async () => {
    const { status, body } = await connect({ api_key: 'sk_test_51Q2w3E4r5T6y7U8' });
    expect([status, body.errors[0].pointer, body.detail]).toEqual([
      400,
      '/api_key',
      expect.stringContaining('Coupons write'),
    ]);
    stripe.forbidden = /invoices/;
    expect((await connect({ api_key: API_KEY })).body).toMatchObject({
      code: 'billing_refused',
      detail: expect.stringContaining('required permissions'),
    });
    const editor = await service.person(acme, 'editor');
    expect((await editor.put(CONNECTION, { mode: 'live' })).status).toBe(403);
  });

  it('names the permissions without which a person has to do something, and works with the rest', async () => {
    expect((await connect({ api_key: API_KEY, mode: 'live' })).body.missing_permissions).toEqual([]);
    stripe.forbidden = /customers|prices|products/;
    const { body } = await connect({ api_key: API_KEY });
    expect(body.missing_permissions).toEqual(['customers_read', 'prices_read', 'products_read']);
    stripe.forbidden = /POST/;
    const read = await connect({ api_key: API_KEY });
    expect(read.body.missing_permissions).toEqual(['subscriptions_write', 'coupons_write']);
    stripe.forbidden = /customers|prices/;
    await connect({ api_key: API_KEY });
    stripe.forbidden = /^$/;
    expect((await connect({ mode: 'live' })).body.missing_permissions).toHaveLength(2);
    expect((await connect({ api_key: API_KEY })).body.missing_permissions).toEqual([]);
  });

  it('of a platform is to one of its accounts, which each request and each link names', async () => {
    stripe.accounts.clear();
    const account = 'acct_1Q2w3E4r5T6y7U8';
    expect((await connect({ api_key: API_KEY, account: 'me' })).body.errors[0].pointer).toBe('/account');
    expect((await connect({ api_key: API_KEY, account, mode: 'live' })).body).toMatchObject({ account });
    expect([...stripe.accounts]).toEqual([account]);
    const subscribers = await Subscribers.of(service, acme);
    await subscribers.accepts('sub_of_account', { offer_type: 'trial_extension', terms: { days: 7 } });
    const [session] = (await acme.client.get('/api/v1/public/sessions')).body.sessions;
    expect(session.fulfilment.url).toBe(`https://dashboard.stripe.com/${account}/test/subscriptions/sub_of_account`);
    stripe.accounts.clear();
    expect((await connect({ account: null })).body).toMatchObject({ account: null });
    expect([...stripe.accounts]).toEqual(['']);
  });

  it('names a permission to void invoices only where it is needed', async () => {
    stripe.forbidden = /POST .*void/;
    expect((await connect({ api_key: API_KEY })).body.missing_permissions).toEqual([]);
    const { body } = await connect({ unpaid_on_cancel: 'void' });
    expect(body).toMatchObject({ unpaid_on_cancel: 'void', missing_permissions: ['invoices_write'] });
  });

  it('with a damaged key can be set again, and keeps no service from starting', async () => {
    await connect({ api_key: API_KEY });
    const damage = `UPDATE billing_connections SET api_key = substring(api_key FOR 12) WHERE workspace_id = $1`;
    await service.database.query(damage, [acme.id]);
    const again = await Service.start(billingAt(stripe));
    const client = again.client.with(acme.key);
    expect((await client.get(CONNECTION)).body.is_readable).toBe(false);
    expect((await client.put(CONNECTION, { api_key: API_KEY })).body.is_readable).toBe(true);
    await again.stop();
  });

  it('needs an ENCRYPTION_KEY, whose loss is said at start and costs only the connection, and which can be replaced', async () => {
    await connect({ api_key: API_KEY });
    const without = await Service.start({ ENCRYPTION_KEY: '', LOG_LEVEL: 'warn' });
    expect((await without.client.with(acme.key).put(CONNECTION, { api_key: API_KEY })).body.code).toBe(
      'encryption_key_missing',
    );
    expect((await without.client.with(acme.key).get(CONNECTION)).body.is_readable).toBe(false);
    expect(without.log.filter((line) => line.includes('ENCRYPTION_KEY is not the one'))).toHaveLength(1);
    await without.stop();

    const keys = [OTHER_KEY, ENCRYPTION_KEY].map((key) => Buffer.from(key, 'base64'));
    expect((await rotateEncryptionKey(workerDatabaseUrl(), keys)).stored).toBeGreaterThan(0);
    const rotated = await Service.start({ ENCRYPTION_KEY: OTHER_KEY, STRIPE_API_URL: stripe.url });
    expect((await rotated.client.with(acme.key).get(CONNECTION)).body.is_readable).toBe(true);
    await rotated.stop();
    await rotateEncryptionKey(workerDatabaseUrl(), keys.toReversed());
  });

  it('learns of payments and cancellations from its signed webhook, however often it comes', async () => {
    const subscribers = await Subscribers.of(service, acme, { webhook_secret: SECRET });
    const subscription = stripe.add('sub_paid');
    await subscribers.accepts('sub_paid', { offer_type: 'custom' });
    stripe.pay('sub_paid', 'in_1', 4990);
    stripe.pay('sub_paid', 'in_0', 100, Math.floor(Date.now() / 1000) - 600);
    expect((await post(invoicePaid('sub_paid'), 'whsec_wrong')).status).toBe(400);
    expect(await outcomes()).toEqual([]);
    for (let n = 0; n < 2; n++) expect((await post(invoicePaid('sub_paid'), SECRET)).status).toBe(200);
    const paid = { id: 'in_1', type: 'paid', customer_id: 'ada', amount: 4990, currency: 'EUR' };
    expect(await outcomes()).toEqual([paid]);
    Object.assign(subscription, { status: 'canceled', canceled_at: Math.floor(Date.now() / 1000) + 60 });
    await post(invoicePaid('sub_paid'), SECRET);
    expect(await outcomes()).toMatchObject([paid, { id: 'sub_paid:canceled', type: 'canceled' }]);
    expect((await post(invoicePaid('sub_unknown'), SECRET)).status).toBe(200);
  });

  it('learns of them once a day without a webhook', async () => {
    const subscribers = await Subscribers.of(service, acme);
    stripe.add('sub_swept');
    await subscribers.accepts('sub_swept', { offer_type: 'custom' });
    stripe.pay('sub_swept', 'in_swept', 4990);
    const sweeping = await Service.start(billingAt(stripe));
    expect(await until(outcomes, (rows) => rows.length > 0)).toMatchObject([{ id: 'in_swept', amount: 4990 }]);
    await sweeping.stop();
  });
});
