import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// oxlint-disable-next-line import/no-named-as-default -- only its ES modules have the named export
import Stripe from 'stripe';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';
import { StripeDouble } from './stripe-double';
import { billingAt, CONNECTION, postEvent, Subscribers, WEBHOOK_SECRET } from './subscriber';

const DAY = 24 * 60 * 60;
const now = () => Math.floor(Date.now() / 1000);

describe('After a save, Stripe says', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;
  let subscribers: Subscribers;
  let count = 0;

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });
  beforeEach(async () => {
    stripe.heard = () => undefined;
    acme = await service.workspace();
    subscribers = await Subscribers.of(service, acme, { webhook_secret: WEBHOOK_SECRET });
  });

  /** A customer with a subscription of their own who stays. */
  async function saved(fields: Parameters<StripeDouble['add']>[1] = {}) {
    const customer = `cus_${++count}`;
    const subscription = stripe.add(`sub_after_${count}`, { customer, ...fields });
    const customer_token = subscribers.token(subscription.id, { customer_id: customer });
    await subscribers.ends('keep', { customer_token });
    return subscription;
  }

  async function tell(object: object, api_version: string | null = Stripe.API_VERSION): Promise<number> {
    const event = { id: 'evt_1', object: 'event', api_version, type: 'any', data: { object } };
    return (await postEvent(service, acme, event)).status;
  }
  const about = ({ id }: { id: string }) => tell({ id, object: 'subscription' });
  const outcomes = (): Promise<
    { id: string; type: string; amount: number | null; seconds: number; is_provisional: boolean }[]
  > =>
    service.database.query(
      `SELECT id, type, amount::int, is_provisional, extract(epoch FROM at)::int AS seconds FROM outcomes
        WHERE workspace_id = $1 ORDER BY id`,
      [acme.id],
    );

  it.each(['sub_\0', 'sub_\ud800'])('nothing with an id that no database can hold: %j', async (id) => {
    expect(await tell({ id, object: 'subscription' })).toBe(400);
    expect(await tell({ id: 'sub_1', object: 'subscription' }, id)).toBe(400);
  });

  it('that they have canceled from the moment they did, also while the subscription goes on', async () => {
    const subscription = await saved();
    const canceled_at = now() + 60;
    Object.assign(subscription, { cancel_at: now() + 300 * DAY, canceled_at });
    await about(subscription);
    const canceled = { id: `${subscription.id}:canceled`, type: 'canceled', seconds: canceled_at };
    expect(await outcomes()).toMatchObject([{ ...canceled, is_provisional: true }]);
    Object.assign(subscription, { status: 'canceled', ended_at: now() + 300 * DAY });
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ ...canceled, is_provisional: false }]);
  });

  it('that they have not canceled after all, once they have taken it back', async () => {
    const subscription = await saved();
    Object.assign(subscription, { cancel_at_period_end: true, canceled_at: now() + 60 });
    await about(subscription);
    expect(await outcomes()).toHaveLength(1);
    Object.assign(subscription, { cancel_at_period_end: false, canceled_at: null });
    await about(subscription);
    expect(await outcomes()).toEqual([]);
  });

  it('that they have canceled again, later than before', async () => {
    const subscription = await saved();
    const cancels = async (canceled_at: number) => {
      Object.assign(subscription, { cancel_at_period_end: true, canceled_at });
      await about(subscription);
    };
    await cancels(now() + 60);
    const again = now() + 600;
    await cancels(again);
    expect(await outcomes()).toMatchObject([{ seconds: again }]);
  });

  it('that they have left when it ends, if they had canceled before they stayed and nobody undid it', async () => {
    const subscription = await saved();
    const ended_at = now() + DAY / 48;
    Object.assign(subscription, { status: 'canceled', canceled_at: now() - DAY, ended_at });
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ type: 'canceled', seconds: ended_at, is_provisional: false }]);
  });

  it('nothing about a subscription that it does not know: what is known stays', async () => {
    const subscription = await saved();
    Object.assign(subscription, { cancel_at_period_end: true, canceled_at: now() + 60 });
    await about(subscription);
    stripe.subscriptions.delete(subscription.id);
    expect(await about(subscription)).toBe(200);
    expect(await outcomes()).toHaveLength(1);
  });

  it.each(['unpaid', 'paused'] as const)('that they are gone while nobody pays: %s', async (status) => {
    const subscription = await saved();
    subscription.status = status;
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ type: 'canceled', is_provisional: true }]);
    subscription.status = 'active';
    await about(subscription);
    expect(await outcomes()).toEqual([]);
  });

  it('that they have paused it themselves, each time, and that they are still there', async () => {
    const subscription = await saved();
    const pauses = async (at: number, type: string) => {
      const paused = { type: 'subscription', transitioned_at: at, subscription: { type } };
      Object.assign(subscription, { status: 'paused', status_details: { paused } });
      await about(subscription);
    };
    const [first, second] = [now() + 60, now() + 120];
    await pauses(first, 'pause_requested');
    const paused = { type: 'paused', is_provisional: false };
    expect(await outcomes()).toMatchObject([{ ...paused, seconds: first }]);
    await pauses(second, 'pause_requested');
    expect(await outcomes()).toMatchObject([
      { ...paused, seconds: first },
      { ...paused, seconds: second },
    ]);
    await pauses(second, 'final_payment_failure');
    expect((await outcomes()).map(({ type }) => type)).toEqual(['canceled', 'paused', 'paused']);
  });

  it('nothing, if they had canceled before they stayed', async () => {
    const subscription = await saved();
    Object.assign(subscription, { cancel_at_period_end: true, canceled_at: now() - DAY });
    await about(subscription);
    expect(await outcomes()).toEqual([]);
  });

  it('that they are there, if another subscription of theirs has begun in place of this one', async () => {
    const subscription = await saved();
    const { customer } = subscription;
    Object.assign(subscription, { status: 'canceled', canceled_at: now() + 60, ended_at: now() + 60 });
    const dearer = stripe.add(`${subscription.id}_dearer`, { customer, created: now() + 60 });
    await about(subscription);
    expect(await outcomes()).toEqual([]);
    Object.assign(subscription, { status: 'unpaid', canceled_at: null, ended_at: null });
    await about(subscription);
    expect(await outcomes()).toEqual([]);
    // That one is older: it says nothing.
    dearer.created = now() - 30 * DAY;
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ type: 'canceled' }]);
  });

  it('what they have paid, less what was given back, as soon as it is', async () => {
    const subscription = await saved();
    stripe.pay(subscription.id, 'in_1', 4990);
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ id: 'in_1', amount: 4990 }]);
    stripe.invoices.find(({ id }) => id === 'in_1')!.post_payment_credit_notes_amount = 2000;
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ id: 'in_1', amount: 2990 }]);
  });

  it('nothing else than the workspace, about what it has reported itself', async () => {
    const subscription = await saved();
    const own = {
      id: 'in_own',
      type: 'paid',
      customer_id: 'ada',
      at: new Date().toISOString(),
      amount: 1,
      currency: 'EUR',
    };
    expect((await acme.client.post('/api/v1/public/outcomes', own)).status).toBe(201);
    stripe.pay(subscription.id, 'in_own', 4990);
    await about(subscription);
    expect(await outcomes()).toMatchObject([{ id: 'in_own', amount: 1 }]);
  });

  it('the same in the shape of older versions, and the connection names a webhook of another one', async () => {
    const subscription = await saved();
    stripe.pay(subscription.id, 'in_old', 4990);
    const attention = async () => (await acme.client.get(CONNECTION)).body.attention;
    expect(await tell({ id: 'in_old', object: 'invoice', subscription: subscription.id }, '2024-06-20')).toBe(200);
    expect(await outcomes()).toMatchObject([{ id: 'in_old' }]);
    expect(await attention()).toBe('webhook_version');
    const parent = { subscription_details: { subscription: subscription.id } };
    expect(await tell({ id: 'in_old', object: 'invoice', parent })).toBe(200);
    expect(await attention()).toBeNull();
  });

  it('all that it says in the version of its interface that the documentation names', () => {
    expect(readFileSync(join(__dirname, '../../docs/billing.md'), 'utf8')).toContain(`\`${Stripe.API_VERSION}\``);
  });

  it('nothing of a customer who is erased while it answers', async () => {
    const subscription = await saved();
    stripe.pay(subscription.id, 'in_erased', 4990);
    stripe.heard = async (call) => {
      if (call.includes('invoices')) await acme.client.delete('/api/v1/public/customers/ada');
    };
    expect(await about(subscription)).toBe(200);
    expect(await outcomes()).toEqual([]);
  });

  it('nothing of a subscription that it can not read: it is passed over, counted and named in the log, and read later', async () => {
    const [broken, sound] = [await saved(), await saved()];
    for (const { id } of [broken, sound]) stripe.pay(id, `in_${id}`, 4990);
    stripe.heard = (call) => {
      if (call === `GET /v1/subscriptions/${broken.id}`) throw new Error('An unknown error occurred');
    };
    const sweeping = await Service.start({ ...billingAt(stripe), LOG_LEVEL: 'warn' });
    const sweep = async () => {
      const due = 'UPDATE billing_connections SET next_sweep_at = now() WHERE workspace_id = $1';
      await service.database.query(due, [acme.id]);
      sweeping.app.get(Jobs).runNow('Outcomes');
    };
    const unread = async () => (await acme.client.get(CONNECTION)).body.unread_subscriptions;
    await sweep();
    await until(unread, (count) => count === 1);
    expect(await outcomes()).toMatchObject([{ id: `in_${sound.id}` }]);
    const lines = sweeping.log.filter((line) => line.includes(broken.id) && line.includes('unknown error'));
    expect(lines.length).toBeGreaterThan(0);
    stripe.heard = () => undefined;
    await sweep();
    await until(unread, (count) => count === 0);
    expect(await outcomes()).toHaveLength(2);
    await sweeping.stop();
  });

  it('without a webhook, each day, also of older saves of customers who may take it back', async () => {
    const subscription = await saved();
    Object.assign(subscription, { cancel_at: now() + 300 * DAY, canceled_at: now() + 60 });
    await about(subscription);
    await service.letPass('200 days', acme);
    Object.assign(subscription, { cancel_at: null, canceled_at: null });
    const sweeping = await Service.start(billingAt(stripe));
    await service.database.query('UPDATE billing_connections SET next_sweep_at = now() WHERE workspace_id = $1', [
      acme.id,
    ]);
    sweeping.app.get(Jobs).runNow('Outcomes');
    await until(outcomes, (rows) => rows.length === 0);
    await sweeping.stop();
  });
});
