import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Databases } from '../../support/databases';
import { freePort } from '../../support/free-port';
import { TO_LOOPBACK } from '../../support/receiver';
import { ServiceProcess } from '../../support/service-process';
import { Acme } from './customers';
import { Program } from './program';
import { type Applied, Stripe } from './stripe';

/** The offers of set-up.mjs: where the customers are who accept them, and why. */
const OFFERS = [
  { node: 'discount', reason: 'too_expensive', name: 'Half price for three months' },
  { node: 'pause', reason: 'not_using', name: 'A month for free' },
];
const CUSTOMERS = 10;

describe('Accepted offers', () => {
  const databases = new Databases();
  let folder: string;
  let address: string;
  let acme: Acme;
  let slug: string;
  let stateFile: string;
  let stripe: Stripe;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'examples-'));
    const service = ServiceProcess.start({ DATABASE_URL: await databases.create(), ...TO_LOOPBACK });
    address = await service.address();
  });
  beforeEach(async () => {
    stripe = await Stripe.start();
    acme = await Acme.at(address);
    const setUp = new Program('set-up.mjs', ['Leaving'], acme.env);
    expect([await setUp.ended, setUp.output]).toEqual([0, expect.stringContaining('published')]);
    [slug] = (await acme.list('flows')).map((flow) => flow.slug as string);
    stateFile = join(folder, `${acme.id}.json`);
  });
  afterEach(async () => {
    await Program.killAll();
    await stripe.stop();
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });

  const start = (file: string, env: Record<string, string> = {}) =>
    new Program(file, [], {
      ...acme.env,
      STRIPE_API: stripe.url,
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STATE_FILE: stateFile,
      ...env,
    });

  const offerIds = async () =>
    new Map((await acme.list('offers')).map(({ name, id }) => [name as string, id as string]));

  /**
   * Customers accept one offer after another. The coupon of an offer is another one for each of them, and yet another one
   * when the customer, who has seen the offer by then, accepts it.
   */
  const acceptAll = async () => {
    const ids = await offerIds();
    const accepted = OFFERS.map(async ({ node, reason, name }) => {
      const change = (stripe_coupon: string) =>
        acme.client.put(`/api/v1/public/offers/${ids.get(name)}`, { metadata: { stripe_coupon } });
      const expected: Applied[] = [];
      for (let n = 0; n < CUSTOMERS; n++) {
        const [subscription, coupon] = [`sub_${node}_${n}`, `${node}-${n}`];
        await change(coupon);
        const accept = await acme.walkToOffer(acme.signed(subscription), slug, reason, node);
        await change('another');
        await accept();
        expected.push({ subscription, coupon });
      }
      return expected;
    });
    return (await Promise.all(accepted)).flat();
  };

  /** Stripe on a bad day: changes fail before or after they are made, or take their time. */
  const onABadDay = async (apply: () => void, n: number) => {
    if (n % 5 === 1) throw new Error('An unknown error occurred');
    if (n % 5 === 2) await pause(300);
    apply();
    if (n % 5 === 3) throw new Error('An unknown error occurred');
  };

  const sorted = (applied: Applied[]) => applied.map((one) => `${one.subscription}: ${one.coupon}`).toSorted();

  it('are applied once each by apply-offers.mjs, though it is killed before and after Stripe applies one', async () => {
    let program = start('apply-offers.mjs');
    let restarts = 0;
    const restart = async () => {
      await program.kill();
      restarts++;
      program = start('apply-offers.mjs');
    };
    stripe.carryOut = async (apply, n, { subscription }) => {
      if (n === 4) {
        // What the killed one asked for is still under way when the next one asks for it, and asks for it again. It must
        // not have got it otherwise.
        const asked = stripe.untilAsked(subscription, 2);
        await restart();
        await Promise.race([asked, stripe.untilApplied(stripe.applied.length + 1)]);
        apply();
      } else if (n === 12) {
        // The next one comes after a day.
        apply();
        await program.kill();
        stripe.forgetKeys();
        await restart();
      } else await onABadDay(apply, n);
    };
    const expected = await acceptAll();
    await stripe.untilApplied(expected.length);
    expect(restarts).toBe(2);

    // Even without its file, and when Stripe has forgotten the keys.
    await program.kill();
    expect(program.output).not.toContain('left to you');
    rmSync(stateFile, { force: true });
    stripe.forgetKeys();
    const again = start('apply-offers.mjs');
    while (!existsSync(stateFile)) await pause(20);
    await again.kill();
    expect(sorted(stripe.applied)).toEqual(sorted(expected));
  });

  it('are left to you by apply-offers.mjs, and hold up no other, if nobody signed whose they are, or Stripe knows no such coupon', async () => {
    const id = (await offerIds()).get(OFFERS[0].name);
    const change = (metadata: object) => acme.client.put(`/api/v1/public/offers/${id}`, { metadata });
    const accept = async (customer: object) =>
      (await acme.walkToOffer(customer, slug, OFFERS[0].reason, OFFERS[0].node))();
    const unsigned = { customer: { id: 'cus_1', attributes: { stripe_subscription: 'sub_of_somebody_else' } } };
    const [before, after] = [acme.signed('sub_before'), acme.signed('sub_after')];
    await change({ stripe_coupon: 'good' });
    await accept(before);
    await accept(unsigned);
    await change({ stripe_coupon: 'no-such-coupon' });
    await accept(acme.signed('sub_other'));
    await change({});
    await accept(acme.signed('sub_without'));
    await change({ stripe_coupon: 'good' });
    await accept(after);

    const program = start('apply-offers.mjs');
    await stripe.untilApplied(2);
    await program.kill();
    expect(stripe.applied.map(({ subscription }) => subscription).toSorted()).toEqual(['sub_after', 'sub_before']);
    expect(program.output.match(/left to you/g)).toHaveLength(3);
    expect(program.output).toContain('No such coupon: no-such-coupon');
  });

  it('are applied when they are asked for again after their coupon was created, though Stripe remembers that it was missing', async () => {
    const id = (await offerIds()).get(OFFERS[0].name);
    await acme.client.put(`/api/v1/public/offers/${id}`, { metadata: { stripe_coupon: 'no-such-coupon' } });
    await (
      await acme.walkToOffer(acme.signed('sub_1'), slug, OFFERS[0].reason, OFFERS[0].node)
    )();
    const program = start('apply-offers.mjs');
    while (!program.output.includes('left to you')) await pause(20);
    await program.kill();

    stripe.missing.clear();
    rmSync(stateFile, { force: true });
    start('apply-offers.mjs');
    await stripe.untilApplied(1);
    expect(stripe.applied).toEqual([{ subscription: 'sub_1', coupon: 'no-such-coupon' }]);
  });

  it('are applied once each by webhook-receiver.mjs, though it is killed while Stripe applies one', async () => {
    const port = await freePort();
    const { body } = await acme.client.post('/api/v1/public/webhooks', { url: `http://127.0.0.1:${port}/` });
    const receive = () => start('webhook-receiver.mjs', { PORT: String(port), WEBHOOK_SECRET: body.secret as string });
    let program = receive();
    stripe.carryOut = async (apply, n) => {
      if (n !== 4) return onABadDay(apply, n);
      apply();
      await program.kill();
      program = receive();
    };
    const expected = await acceptAll();
    await stripe.untilApplied(expected.length);
    const sent = `/api/v1/public/webhooks/${body.id}/deliveries?limit=500`;
    const isOpen = async () =>
      (await acme.client.get(sent)).body.deliveries.some(({ status }: { status: string }) => status !== 'delivered');
    while (await isOpen()) await pause(100);
    expect(sorted(stripe.applied)).toEqual(sorted(expected));
    await acme.client.delete(`/api/v1/public/webhooks/${body.id}`);
  });

  /** A webhook and its receiver. `untilDelivered` resolves when every event is acknowledged. */
  const receiver = async () => {
    const port = await freePort();
    const { body } = await acme.client.post('/api/v1/public/webhooks', { url: `http://127.0.0.1:${port}/` });
    const program = start('webhook-receiver.mjs', { PORT: String(port), WEBHOOK_SECRET: body.secret as string });
    const untilDelivered = async (count: number) => {
      for (;;) {
        const { deliveries } = (await acme.client.get(`/api/v1/public/webhooks/${body.id}/deliveries?limit=500`)).body;
        const saved = (deliveries as { type: string; status: string }[]).filter(
          (delivery) => delivery.type === 'session.saved' && delivery.status === 'delivered',
        );
        if (saved.length === count) return;
        await pause(100);
      }
    };
    return { program, untilDelivered };
  };
  /** Walks a customer to the first offer, which has a coupon of its own. */
  const walkTo = async (coupon: string | undefined, subscription: string) => {
    const id = (await offerIds()).get(OFFERS[0].name);
    await acme.client.put(`/api/v1/public/offers/${id}`, { metadata: coupon ? { stripe_coupon: coupon } : {} });
    return acme.walkToOffer(acme.signed(subscription), slug, OFFERS[0].reason, OFFERS[0].node);
  };

  it('to one subscription: the later one stays, though Stripe was down for the earlier one, or is slow to apply it', async () => {
    const { untilDelivered } = await receiver();
    const isLaterApplied = () => [...stripe.coupons].filter(([, coupon]) => coupon === 'later').length === 2;
    stripe.carryOut = async (apply, _, { subscription, coupon }) => {
      if (coupon === 'earlier' && !isLaterApplied()) {
        if (subscription === 'sub_down') throw new Error('An unknown error occurred');
        while (!isLaterApplied()) await pause(20);
      }
      apply();
    };
    for (const coupon of ['earlier', 'later'])
      for (const subscription of ['sub_down', 'sub_slow']) {
        const asked = stripe.untilAsked(subscription, 1);
        await (
          await walkTo(coupon, subscription)
        )();
        await asked;
      }
    await untilDelivered(4);
    expect(Object.fromEntries(stripe.coupons)).toEqual({ sub_down: 'later', sub_slow: 'later' });
  });

  it('to one subscription: the one accepted later stays, though its session began earlier', async () => {
    const accepts = [await walkTo('later', 'sub_1'), await walkTo('earlier', 'sub_1')];
    for (const accept of accepts.toReversed()) await accept();
    const program = start('apply-offers.mjs');
    while (program.output.split('\n').length <= accepts.length) await pause(20);
    await program.kill();
    expect(stripe.coupons.get('sub_1')).toBe('later');
  });

  it('are left to you by webhook-receiver.mjs once, and not sent again, if they need you', async () => {
    const { program, untilDelivered } = await receiver();
    for (const coupon of ['no-such-coupon', undefined]) await (await walkTo(coupon, 'sub_1'))();
    await untilDelivered(2);
    expect(program.output.match(/left to you/g)).toHaveLength(2);
    expect(program.output).toContain('No such coupon: no-such-coupon');
    expect(stripe.applied).toEqual([]);
  });

  it('are not believed by webhook-receiver.mjs without the signature', async () => {
    const port = await freePort();
    start('webhook-receiver.mjs', { PORT: String(port), WEBHOOK_SECRET: `whsec_${'A'.repeat(43)}=` });
    const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(({ status }) => status);
    let status: number | undefined;
    while (status === undefined) status = await post().catch(() => undefined);
    expect(status).toBe(401);
  });
});
