import type { Offer, SessionRecord } from '@retention-flow/client';
import { randomBytes } from 'node:crypto';
import { API_KEY as KEY, StripeDouble } from '../../billing/stripe-double';
import { until } from '../../faults/support/until';
import { claimsFor, type SigningKey, tokenOf } from '../../support/customer-token';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';
import { visit } from '../support/visit';
import { WORDS } from '../support/words';

const OFFERS = '/api/v1/public/offers';
const CONNECTION = '/api/v1/public/billing/connection';
const MOMENT = 'It takes effect in a moment.';
const TO_OFFER = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'too_expensive' },
];
const ACCEPT_IT = { node_key: 'offer_1', action: 'accept' };
const ACCEPT = [...TO_OFFER, ACCEPT_IT];
const YEARLY = { recurring: { interval: 'year' as const, interval_count: 1 } };
const HALF = { percent_off: 50, duration: 'repeating', months: 3 };

interface LiveFlow {
  cancel_in_billing: boolean;
  after_cancel: string;
  canceled_body: string;
  survey: object;
}

const settings = {
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  STRIPE_API_URL: '',
  BACKGROUND_JOBS: 'true',
};
let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await StripeDouble.start();
  settings.STRIPE_API_URL = stripe.url;
});
afterAll(() => stripe.stop());

inOneBrowser(
  'Billing',
  (stage) => {
    let acme: Acme;
    let signingKey: SigningKey;

    beforeEach(async () => {
      acme = await Acme.create(stage.service, `${stage.host.origin}/cancel-page?by=service`);
      const keys = { name: 'Account pages', algorithm: 'HS256' };
      const { id, secret } = await acme.call<{ id: string; secret: string }>(
        'POST',
        '/api/v1/public/customer-keys',
        keys,
      );
      signingKey = { id, algorithm: 'HS256', key: secret };
    });

    const connect = (mode: string) => acme.call('PUT', CONNECTION, { api_key: KEY, mode });
    /** A customer with a subscription at Stripe, as the backend signs it. */
    const customer = (fields: Parameters<StripeDouble['add']>[1] = {}) => {
      const { id, customer: customer_id } = stripe.add(`sub_${stripe.subscriptions.size}`, fields);
      return tokenOf(signingKey, {}, claimsFor(acme, { customer_id, subscription: { id } }));
    };
    /** The newest session, once billing is in a state with it. */
    const untilState = async (state: string) => {
      const path = `/api/v1/public/sessions?fulfilment=${state}`;
      let found: SessionRecord | undefined;
      await until(`a session is ${state}`, async () => {
        [found] = (await acme.call<{ sessions: SessionRecord[] }>('GET', path)).sessions;
        return found !== undefined;
      });
      return found!;
    };
    const open = (path: string) => Console.signedIn(stage, path, { key: acme.key });

    it('is connected with a restricted key alone, begins dry, and never shows the key again', async () => {
      const console = await open('/settings');
      await console.untilText('No billing system is connected');
      await console.press('Connect Stripe');
      await console.fill('Restricted key', 'sk_test_51Q2w3E4r5T6y7U8');
      await console.press('Connect');
      await console.untilText('must be a restricted key', '#api_key-about');
      expect(await console.looks()).toEqual([]);
      await console.fill('Restricted key', KEY);
      await console.press('Connect');
      await console.untilText('Stripe is connected. It accepted the key.');
      await console.untilText('Dry run: nothing is sent to Stripe.');
      await console.untilText('rk_test_…y7U8');
      await console.untilText(`${stage.service}/api/v1/billing/stripe/webhook/${acme.id}`);
      expect(await console.page.content()).not.toContain(KEY);
      expect(await console.looks()).toEqual([]);

      await console.press('Go live');
      await console.untilText('no real subscription is changed with it', 'dialog');
      expect(await console.looks()).toEqual([]);
      await console.fill("Signing secret of Stripe's webhook", 'whsec_51Q2w3E4r5T6y7U8');
      await console.press('Go live');
      await console.untilText('Known at once, by Stripe’s webhook');
      expect(await acme.call('GET', CONNECTION)).toMatchObject({
        mode: 'live',
        has_webhook_secret: true,
        last_four: 'y7U8',
      });

      const { key } = await acme.apiKey({ access: 'read' });
      const reader = await Console.signedIn(stage, '/settings', { key });
      await reader.untilText('Live: carry it out');
      expect(await reader.text()).not.toContain('Change the connection');

      await console.press('Disconnect');
      await console.press('Disconnect now');
      await console.untilText('No billing system is connected');
    });

    it('says why Stripe refuses a key', async () => {
      const console = await open('/settings');
      await console.press('Connect Stripe');
      await console.fill('Restricted key', 'rk_test_of_somebody_else');
      await console.press('Connect');
      await console.untilText('Stripe: Invalid API Key provided', 'dialog');
      await expect(acme.call('GET', CONNECTION)).rejects.toThrow('404');
    });

    it('gets the terms of an offer from a form, which makes the words of the offer from them', async () => {
      const console = await open('/offers/new');
      await console.press('Fixed discount');
      await console.fill('Amount off', '7.5');
      await console.fill('Currency', 'eur');
      await console.choose('Lasts', 'For the next payment');
      await console.untilText('Take €7.50 off', '.offer-picture');
      expect(await console.looks()).toEqual([]);
      await console.press('Create offer');
      await console.untilAt('Offers');
      await console.press('€7.50 off for the next payment', 'link');
      await console.choose('Type', 'Pause');
      await console.fill('Months', '2');
      await console.press('Publish …');
      await console.press('Publish now');
      await console.untilText('Version 2 is live.');
      const [{ id }] = (await acme.call<{ offers: Offer[] }>('GET', OFFERS)).offers;
      const offer = () => acme.call<Offer>('GET', `${OFFERS}/${id}`);
      expect(await offer()).toMatchObject({ terms: { months: 2 }, offer_value: '', offer_duration: '2 months' });

      await console.choose('Type', 'Discount in percent');
      await console.choose('Applied by', 'Billing applies a coupon that you have');
      await console.fill('Coupon in Stripe', 'stay-30');
      await console.fill('Value', '30%');
      await console.press('Publish …');
      await console.press('Publish now');
      await until('the coupon is saved', async () => (await offer()).terms?.coupon === 'stay-30');
      expect(await console.looks()).toEqual([]);
    });

    it('offers its prices to choose from, and says before publishing that it does not have one', async () => {
      await connect('dry_run');
      stripe.prices.set('price_small', { nickname: 'Small', unit_amount: 900 });
      const console = await open('/offers/new');
      expect(await (await console.field('Applied by')).evaluate(({ value }) => value)).toBe('terms');
      await console.press('Another plan');
      await console.choose('Applied by', 'Billing changes the price');
      await until('the list', async () => (await console.page.$('#price-list option')) !== null);
      expect(await console.page.$eval('#price-list', (list) => list.textContent)).toContain('Small: €9.00 a month');
      await console.fill('Price in Stripe', 'price_small');
      await console.untilText('Small: €9.00 a month');
      expect(await console.looks()).toEqual([]);
      await console.press('Create offer');
      await console.untilAt('Offers');
      const [{ id }] = (await acme.call<{ offers: Offer[] }>('GET', OFFERS)).offers;
      expect((await acme.call<Offer>('GET', `${OFFERS}/${id}`)).terms).toEqual({ price: 'price_small' });

      await acme.call('PUT', `${OFFERS}/${id}/draft`, { terms: { price: 'prod_wrong' } });
      await console.goTo(`/offers/${id}`);
      await console.press('Publish …');
      await console.untilText('Stripe has no price prod_wrong to choose.', 'dialog');
      expect(await console.looks()).toEqual([]);
    });

    it('says in a preview what would happen to a subscription of Stripe, or to a made-up one', async () => {
      await connect('dry_run');
      stripe.customers.set('cus_lovelace', { name: 'Ada Lovelace' });
      stripe.add('sub_lovelace', { customer: 'cus_lovelace', price: { unit_amount: 2900, ...YEARLY } });
      const offer = { name: 'A break', offer_type: 'pause_subscription', terms: { months: 2 } };
      const { id } = await acme.flow(offer);
      const console = await open(`/flows/${id}`);
      await console.press('Preview');
      await console.untilFramed('Before you go');
      await console.choose('Subscription', 'A made-up one');
      await console.fill('Price', '19.50');
      await console.press('Walk as this customer');
      await console.untilText('€39 is not billed.', '.effects');
      await console.untilText('dry run, so nothing of this is carried out yet', '.effects');
      expect(await console.looks()).toEqual([]);
      await console.choose('Subscription', 'Ada Lovelace: €29.00 a year');
      await console.press('Walk as this customer');
      await console.untilText('Customers don’t see this offer. The subscription is not paid once a month.', '.effects');
      expect(stripe.asked).toEqual([]);
      await console.press('Close');
      expect(await console.page.$('dialog')).toBeNull();
    });

    it('says that nobody is known while there is no customer key', async () => {
      const other = await Acme.create(stage.service, 'https://acme.example/cancel');
      await other.call('PUT', CONNECTION, { api_key: KEY });
      const console = await Console.signedIn(stage, '/settings', { key: other.key });
      await console.untilText('There is no customer key yet, so nobody can say whose subscription it is');
      expect(await console.looks()).toEqual([]);
    });

    it('is told in the editor to cancel, and what it hears as the reason', async () => {
      const { id } = await acme.flow();
      const console = await open(`/flows/${id}/edit`);
      await console.press('Cancel in billing, too', 'checkbox');
      await console.choose('Stripe hears of answer 1', 'low quality');
      await console.choose('After cancelling', 'They read when their subscription ends');
      await console.fill('Text after cancelling', 'Yours until {{until}}.');
      expect(await console.looks()).toEqual([]);
      await console.press('Publish …');
      await console.untilText('Billing cancels', 'dialog');
      await console.untilText('Yours until {{until}}.', 'dialog');
      await console.press('Publish now');
      await until('it is live', async () => {
        const flow = await acme.call<LiveFlow>('GET', `/api/v1/public/flows/${id}`);
        return flow.cancel_in_billing && JSON.stringify(flow.survey).includes('"feedback":"low_quality"');
      });
      const { after_cancel, canceled_body } = await acme.call<LiveFlow>('GET', `/api/v1/public/flows/${id}`);
      expect([after_cancel, canceled_body]).toEqual(['stay', 'Yours until {{until}}.']);
      await console.goTo(`/flows/${id}/languages`);
      await console.untilText('Text after cancelling', 'table');
      expect(await console.looks()).toEqual([]);
    });

    it('shows in a dry run what would be sent, and applies it when it is tried again live', async () => {
      await connect('dry_run');
      const flow = await acme.flow({ terms: HALF });
      await visit(stage.service, flow, ACCEPT, customer());
      const { id } = await untilState('dry_run');
      const console = await open(`/sessions/${id}`);
      await console.untilText('Dry run: this would be done in Stripe, and was not.');
      await console.untilText('The customer pays €5 in place of €10 until');
      await console.page.click('.fulfilment summary');
      await console.untilText('POST /v1/subscriptions/');
      expect(await console.looks()).toEqual([]);
      await connect('live');
      await console.press('Try again');
      await untilState('applied');
      await console.page.reload();
      await console.untilText('applied');
      expect(await console.text('.fulfilment')).toContain('Done.');
    });

    it('carries out what the dry run wrote down when an owner says so, and lists what ends soon', async () => {
      await connect('dry_run');
      const offer = { name: '3 days free', offer_type: 'trial_extension', terms: { days: 3 }, limit: null };
      const flow = await acme.flow(offer);
      for (let n = 0; n < 2; n++) await visit(stage.service, flow, ACCEPT, customer());
      await until('both are dry', async () => {
        const path = '/api/v1/public/fulfilments?state=dry_run';
        return (await acme.call<{ fulfilments: object[] }>('GET', path)).fulfilments.length === 2;
      });
      await connect('live');
      const console = await open('/');
      await console.untilText('2 decisions of the dry run were not carried out when the connection went live.');
      expect(await console.looks()).toEqual([]);
      await console.press('2 decisions', 'link');
      await console.untilAt('Billing');
      await console.untilText('2 decisions of the dry run were not carried out.');
      await console.untilText('The next payment comes on');
      expect(await console.looks()).toEqual([]);
      await console.press('Carry out all 2');
      expect(await console.looks()).toEqual([]);
      await console.press('Carry out now');
      await console.untilText('2 decisions are carried out in a moment.');
      await untilState('applied');
      await console.goTo('/billing?state=applied');
      await console.untilText('Ending soon');
      expect(await console.looks()).toEqual([]);
      const { key } = await acme.apiKey({ access: 'read' });
      const reader = await Console.signedIn(stage, '/billing?state=dry_run', { key });
      await reader.untilText('There is none');
      expect(await reader.text()).not.toContain('Carry out');
    });

    it('leaves to a person what it can not do: the overview counts them, and the list says what to do', async () => {
      await connect('live');
      const pause = await acme.flow({ offer_type: 'pause_subscription', name: 'A pause', terms: { months: 1 } });
      const accept = await visit(stage.service, pause, TO_OFFER, customer());
      // While the customer looks at the offer.
      const [paused] = [...stripe.subscriptions.values()].slice(-1);
      Object.assign(paused.items.data[0].price, YEARLY);
      await accept(ACCEPT_IT);
      await untilState('manual');
      const coupon = `of-${acme.id}`;
      stripe.coupons.set(coupon, {});
      const refused = await acme.flow({ name: 'A coupon', terms: { coupon } });
      // Just before it is given.
      stripe.heard = (call) => {
        if (call.startsWith('POST /v1/subscriptions')) stripe.coupons.delete(coupon);
      };
      await visit(stage.service, refused, ACCEPT, customer());
      await untilState('failed');
      stripe.heard = () => undefined;

      const console = await open('/');
      await console.untilText('2 customers wait for you');
      await console.press('2 customers', 'link');
      await console.untilAt('Billing');
      await console.untilText('Pause the payments for 1 month');
      await console.untilText(`Add the coupon ${coupon}.`);
      await console.untilText('Open in Stripe');
      expect(await console.looks()).toEqual([]);
      const { key } = await acme.apiKey({ access: 'read' });
      const reader = await Console.signedIn(stage, '/billing', { key });
      await reader.untilText('Pause the payments for 1 month');
      expect(await reader.page.$$('main .fulfilment button')).toEqual([]);

      stripe.coupons.set(coupon, {});
      await console.press('Try again');
      await untilState('applied');
      await console.untilNoText(coupon);
      await console.press('Done by hand');
      await console.untilText('Nothing waits for a person');
      await console.choose('Shown', 'Done');
      await console.untilText('A pause');
      expect(await console.looks()).toEqual([]);
    });

    it('says in a session why an offer was not shown', async () => {
      await connect('live');
      const pause = await acme.flow({ offer_type: 'pause_subscription', name: 'A pause', terms: { months: 1 } });
      await visit(stage.service, pause, TO_OFFER, customer({ price: YEARLY }));
      const [{ id }] = (await acme.call<{ sessions: SessionRecord[] }>('GET', '/api/v1/public/sessions')).sessions;
      const console = await open(`/sessions/${id}`);
      await console.untilText(
        'Not shown: A pause. The reason: the subscription is paid at other times than the offer is made for.',
      );
      expect(await console.looks()).toEqual([]);
    });

    it('has offers that it applies accepted once a year, unless somebody takes the limit away, who is warned', async () => {
      const console = await open('/offers/new');
      await console.press('Pause');
      expect(await (await console.field('Times per customer')).evaluate(({ value }) => value)).toBe('1');
      await console.fill('Times per customer', '');
      await console.fill('Within days', '');
      await console.untilText('Without a limit, a customer may accept this offer again and again');
      expect(await console.looks()).toEqual([]);
      await console.press('Create offer');
      await console.untilAt('Offers');
      const [{ id }] = (await acme.call<{ offers: Offer[] }>('GET', OFFERS)).offers;
      expect(await acme.call<Offer>('GET', `${OFFERS}/${id}`)).toMatchObject({ terms: { months: 1 }, limit: null });
    });

    it('has the widget say "in a moment" until an offer is applied, and only then', async () => {
      const flow = await acme.flow({ terms: HALF, limit: null });
      const accept = async () => {
        const attributes = { 'data-customer-token': customer() };
        const tab = await stage.open({ flow: flow.slug, attributes });
        await tab.begin();
        await tab.press(WORDS.proceed);
        await tab.press('Too expensive');
        await tab.press(WORDS.proceed);
        await tab.press('Take 50 % off');
        await tab.untilNoticed('saved');
        const [{ detail }] = await tab.noticed('saved');
        return {
          detail,
          text: await tab.page.$eval('retention-flow >>> dialog', (dialog) => (dialog as HTMLElement).innerText),
        };
      };
      const without = await accept();
      expect([without.detail, without.text.includes(MOMENT)]).toMatchObject([{ fulfilment: 'none' }, false]);
      await connect('live');
      const applied = await accept();
      expect([applied.detail, applied.text.includes(MOMENT)]).toMatchObject([{ fulfilment: 'pending' }, true]);
    });
  },
  settings,
);
