import { randomBytes } from 'node:crypto';
import { API_KEY, StripeDouble } from '../billing/stripe-double';
import { claimsFor, type SigningKey, tokenOf } from '../support/customer-token';
import { Acme } from './support/acme';
import { inEachBrowser } from './support/stage';
import { WORDS } from './support/words';

const ENDS = Math.floor(Date.parse('2027-12-24T12:00:00Z') / 1000);
const MONTH = 30 * 24 * 60 * 60;

const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), STRIPE_API_URL: '' };
let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await StripeDouble.start();
  settings.STRIPE_API_URL = stripe.url;
});
afterAll(() => stripe.stop());

inEachBrowser(
  'A customer who cancels',
  (stage) => {
    let flow: { id: string; slug: string };
    let token: () => string;

    beforeEach(async () => {
      const acme = await Acme.create(stage.service, stage.host.cancelPage);
      const keys = { name: 'Account pages', algorithm: 'HS256' };
      const made = await acme.call<{ id: string; secret: string }>('POST', '/api/v1/public/customer-keys', keys);
      const key: SigningKey = { id: made.id, algorithm: 'HS256', key: made.secret };
      await acme.call('PUT', '/api/v1/public/billing/connection', { api_key: API_KEY, mode: 'live' });
      flow = await acme.flow();
      await acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { cancel_in_billing: true, after_cancel: 'stay' });
      token = () => {
        const item = { current_period_start: ENDS - MONTH, current_period_end: ENDS };
        const { id, customer: customer_id } = stripe.add(`sub_${stripe.subscriptions.size}`, { item });
        return tokenOf(key, {}, claimsFor(acme, { customer_id, subscription: { id } }));
      };
    });

    const cancel = async () => {
      const attributes = { 'data-customer-token': token() };
      const tab = await stage.open({ flow: flow.slug, attributes });
      await tab.begin();
      await tab.press(WORDS.leave);
      await tab.untilTitle('We have received your cancellation');
      return tab;
    };

    it('reads when the subscription ends, and goes on to the cancellation page', async () => {
      const tab = await cancel();
      const text = await tab.inDialog((dialog) => dialog?.innerText ?? '');
      expect(text).toContain('Your subscription ends on December 24, 2027. You can use it until then.');
      expect(await tab.noticed('canceled')).toEqual([]);
      await tab.press(WORDS.proceed);
      await tab.untilAt(stage.host.cancelPage);
      expect(await tab.noticed('violation', 'error')).toEqual([]);
    });

    it('stays on the page if they close it, which is told', async () => {
      const tab = await cancel();
      const before = tab.page.url();
      await tab.page.keyboard.press('Escape');
      await tab.untilNoticed('canceled');
      await tab.settle();
      expect(tab.page.url()).toBe(before);
      expect(await tab.inDialog((dialog) => dialog?.open ?? false)).toBe(false);
    });
  },
  settings,
);
