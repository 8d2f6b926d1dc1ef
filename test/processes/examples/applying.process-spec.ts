import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port';
import { TO_LOOPBACK } from '../../support/receiver';
import { databasesForAll, ServiceProcess } from '../../support/service-process';
import { type Applied, Billing } from './billing';
import { Acme } from './customers';
import { Program } from './program';

/** An offer of set-up.mjs: where its customers are, and why. */
const OFFER = { node: 'discount', reason: 'too_expensive', name: 'Half price for three months' };
const CUSTOMERS = 15;

describe('apply-offers.mjs', () => {
  const databases = databasesForAll();
  let address: string;
  let acme: Acme;
  let slug: string;
  let offerId: string;
  let billing: Billing;
  let start: () => Program;
  let untilDelivered: (count: number) => Promise<void>;

  beforeAll(async () => {
    const service = ServiceProcess.start({ DATABASE_URL: await databases.create(), ...TO_LOOPBACK });
    address = await service.address();
  });
  beforeEach(async () => {
    billing = await Billing.start();
    acme = await Acme.at(address);
    const setUp = new Program('set-up.mjs', ['Leaving'], acme.env);
    expect([await setUp.ended, setUp.output]).toEqual([0, expect.stringContaining('published')]);
    [slug] = (await acme.list('flows')).map((flow) => flow.slug as string);
    offerId = (await acme.list('offers')).find(({ name }) => name === OFFER.name)!.id as string;
    const port = String(await freePort());
    const { body } = await acme.client.post('/api/v1/public/webhooks', { url: `http://127.0.0.1:${port}/` });
    const env = { ...acme.env, PORT: port, WEBHOOK_SECRET: body.secret as string, BILLING_URL: billing.url };
    start = () => new Program('apply-offers.mjs', [], env);
    untilDelivered = async (count) => {
      const sent = `/api/v1/public/webhooks/${body.id}/deliveries?status=delivered&limit=500`;
      const delivered = async () => (await acme.client.get(sent)).body.deliveries as { type: string }[];
      while ((await delivered()).filter(({ type }) => type === 'session.saved').length < count) await pause(100);
    };
  });
  afterEach(async () => {
    await Program.killAll();
    await billing.stop();
  });
  /** Walks a customer to the offer, which has a coupon of its own, and returns what accepts it. */
  const walkTo = async (coupon: string, customer: object) => {
    await acme.client.put(`/api/v1/public/offers/${offerId}`, { metadata: { coupon }, limit: null });
    return acme.walkToOffer(customer, slug, OFFER.reason, OFFER.node);
  };
  const accept = async (coupon: string, customer: object) => (await walkTo(coupon, customer))();

  it('applies each accepted offer once, though it is killed and billing fails before and after it applies one', async () => {
    let program = start();
    billing.carryOut = async (apply, n) => {
      if (n % 5 === 1) throw new Error('Failed before');
      if (n % 5 === 2) await pause(300);
      apply();
      if (n % 5 === 3) throw new Error('Failed after');
      if (n !== 4) return;
      await program.kill();
      program = start();
    };
    const expected: Applied[] = [];
    for (let n = 0; n < CUSTOMERS; n++) {
      const [subscription, coupon] = [`sub_${n}`, `coupon-${n}`];
      const accept = await walkTo(coupon, acme.signed(subscription));
      // What counts is what the customer has seen.
      await acme.client.put(`/api/v1/public/offers/${offerId}`, { metadata: { coupon: 'another' } });
      await accept();
      expected.push({ subscription, coupon });
    }
    await untilDelivered(CUSTOMERS);
    const sorted = (applied: Applied[]) => applied.map((one) => `${one.subscription}: ${one.coupon}`).toSorted();
    expect(sorted(billing.applied)).toEqual(sorted(expected));
  });

  it('lets the later of two offers to one subscription stay, though billing was down for the earlier one, or is slow', async () => {
    start();
    const isLaterApplied = () => Object.values(billing.coupons).filter((coupon) => coupon === 'later').length === 2;
    billing.carryOut = async (apply, _, { subscription, coupon }) => {
      if (coupon === 'earlier' && !isLaterApplied()) {
        if (subscription === 'sub_down') throw new Error('Down');
        while (!isLaterApplied()) await pause(20);
      }
      apply();
    };
    for (const coupon of ['earlier', 'later'])
      for (const subscription of ['sub_down', 'sub_slow']) {
        const asked = billing.untilAsked(subscription);
        await accept(coupon, acme.signed(subscription));
        await asked;
      }
    await untilDelivered(4);
    expect(billing.coupons).toEqual({ sub_down: 'later', sub_slow: 'later' });
  });

  it('lets the offer stay that was accepted later, though its session began earlier', async () => {
    const accepts = [await walkTo('later', acme.signed('sub_1')), await walkTo('earlier', acme.signed('sub_1'))];
    for (const accept of accepts.toReversed()) await accept();
    start();
    await untilDelivered(2);
    expect(billing.coupons).toEqual({ sub_1: 'later' });
  });

  it('leaves to you, once, what nobody signed, and what billing does not know; no other waits for it', async () => {
    const program = start();
    const subscription = { id: 'sub_of_somebody_else', amount: 4900, currency: 'EUR', interval: 'month' };
    await accept('good', { customer: { id: 'cus_1', subscription } });
    await accept('no-such-coupon', acme.signed('sub_1'));
    await accept('good', acme.signed('sub_gone'));
    await accept('good', acme.signed('sub_2'));
    await untilDelivered(4);
    expect(billing.applied).toEqual([{ subscription: 'sub_2', coupon: 'good' }]);
    expect(program.output.match(/left to you/g)).toHaveLength(3);
  });

  it('believes no event without the signature', async () => {
    start();
    const { url } = (await acme.client.get('/api/v1/public/webhooks')).body.webhooks[0] as { url: string };
    const post = () => fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status);
    let status: number | undefined;
    while (status === undefined) status = await post().catch(() => undefined);
    expect(status).toBe(401);
  });
});
