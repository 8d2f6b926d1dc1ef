import type Stripe from 'stripe';
import type { OfferTerms } from '../../offers/terms/types';
import type { OfferType } from '../../offers/terms/types';
import { pricesOf } from './stripe-prices';

const seconds = (time: string) => Date.parse(time) / 1000;
const NOW = new Date('2026-03-01T10:00:00Z');
const END = seconds('2026-03-15T10:00:00Z');

const priceOf = (fields: object = {}) => ({
  id: 'price_now',
  currency: 'eur',
  unit_amount: 1000,
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
  transform_quantity: null,
  ...fields,
});
const every = (interval: string, interval_count = 1) => priceOf({ recurring: { interval, interval_count } });
const itemOf = (fields: object = {}) => ({
  id: 'si_1',
  quantity: 3,
  current_period_end: END,
  discounts: [],
  price: priceOf(),
  ...fields,
});
const couponOf = (fields: object) => ({ percent_off: null, amount_off: null, currency: null, ...fields });
const discountOf = (coupon: object, end: number | null = null) => ({
  id: 'di_1',
  end,
  source: { type: 'coupon', coupon: couponOf(coupon) },
});

const subscriptionOf = ({
  items = [itemOf()],
  has_more = false,
  ...fields
}: { items?: object[]; has_more?: boolean } & Record<string, unknown>) => ({
  status: 'active',
  currency: 'eur',
  discounts: [],
  trial_end: null,
  pause_collection: null,
  billing_cycle_anchor: END,
  items: { data: items, has_more },
  ...fields,
});

const OFFERS = {
  once: { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'once' } },
  'three months': { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'repeating', months: 3 } },
  forever: { offer_type: 'discount_fixed', terms: { amount_off: 500, currency: 'EUR', duration: 'forever' } },
  coupon: { offer_type: 'discount_fixed', terms: { coupon: 'stay' } },
  pause: { offer_type: 'pause_subscription', terms: { months: 2 } },
  extension: { offer_type: 'trial_extension', terms: { days: 14 } },
  plan: { offer_type: 'plan_change', terms: { price: 'price_then' } },
} satisfies Record<string, { offer_type: OfferType; terms: OfferTerms }>;

const prices = (kind: keyof typeof OFFERS, fields: Parameters<typeof subscriptionOf>[0] = {}, facts: object = {}) => {
  const said = pricesOf(OFFERS[kind], subscriptionOf(fields) as unknown as Stripe.Subscription, {
    now: NOW,
    ...facts,
  });
  return said && [said.price_now, said.price_then, said.until];
};

describe('What a customer pays now, then, and until when', () => {
  it.each<[string, ReturnType<typeof prices>, [number, number, string | null]]>([
    ['with a discount of the next payment', prices('once'), [3000, 2100, '2026-04-15']],
    ['with a discount of three months: of three payments', prices('three months'), [3000, 2100, '2026-06-15']],
    ['with a discount for good', prices('forever'), [3000, 2500, null]],
    [
      'with a coupon',
      prices('coupon', {}, { coupon: couponOf({ percent_off: 50, duration: 'forever' }) }),
      [3000, 1500, null],
    ],
    ['in a pause of two months', prices('pause'), [3000, 0, '2026-05-15']],
    ['after an extension', prices('extension'), [3000, 0, '2026-03-29']],
    ['for another plan', prices('plan', {}, { price: priceOf({ unit_amount: 450 }) }), [3000, 1350, null]],
    [
      'after the discount of the customer, one after another, rounded',
      prices('once', {}, { ofCustomer: discountOf({ percent_off: 33.3, duration: 'forever' }) }),
      [2001, 1401, '2026-04-15'],
    ],
    [
      'without a discount that ends before the next payment',
      prices('forever', { discounts: [discountOf({ percent_off: 50, duration: 'repeating' }, END - 1)] }),
      [3000, 2500, null],
    ],
    [
      'never less than nothing',
      prices('forever', { items: [itemOf({ quantity: 1, price: priceOf({ unit_amount: 300 }) })] }),
      [300, 0, null],
    ],
    [
      'on the last day of shorter months',
      prices('once', {
        billing_cycle_anchor: seconds('2026-01-31T10:00:00Z'),
        items: [itemOf({ current_period_end: seconds('2026-02-28T10:00:00Z') })],
      }),
      [3000, 2100, '2026-03-31'],
    ],
    [
      'each year: three months are one payment',
      prices('three months', { items: [itemOf({ price: every('year') })] }),
      [3000, 2100, '2027-03-15'],
    ],
    ['every 12 weeks', prices('once', { items: [itemOf({ price: every('week', 12) })] }), [3000, 2100, '2026-06-07']],
    ['every day', prices('once', { items: [itemOf({ price: every('day', 10) })] }), [3000, 2100, '2026-03-25']],
    ['for several items', prices('once', { items: [itemOf(), itemOf({ quantity: 1 })] }), [4000, 2800, '2026-04-15']],
  ])('is said %s', (_, said, expected) => expect(said).toEqual(expected));

  const loyal = (fields: object, end?: number) => ({ discounts: [discountOf({ percent_off: 50, ...fields }, end)] });
  it.each<[string, ReturnType<typeof prices>]>([
    ['for a price by usage', prices('once', { items: [itemOf({ quantity: undefined })] })],
    ['for tiers', prices('once', { items: [itemOf({ price: priceOf({ unit_amount: null }) })] })],
    ['for packages', prices('once', { items: [itemOf({ price: priceOf({ transform_quantity: { divide_by: 5 } }) })] })],
    ['for a price in another currency', prices('once', { items: [itemOf({ price: priceOf({ currency: 'usd' }) })] })],
    ['for items with a discount of their own', prices('once', { items: [itemOf({ discounts: ['di_2'] })] })],
    [
      'for items that are paid at different times',
      prices('once', { items: [itemOf(), itemOf({ price: every('year') })] }),
    ],
    ['for one whose payments are paused', prices('once', { pause_collection: { behavior: 'void' } })],
    ['for more items than Stripe has sent', prices('once', { has_more: true })],
    [
      'beside a discount of some products',
      prices('once', loyal({ applies_to: { products: ['prod_1'] }, duration: 'forever' })),
    ],
    ['beside a discount that is not known', prices('once', { discounts: ['di_unknown'] })],
    ['beside a discount that ends before the offer', prices('forever', loyal({ duration: 'once' }))],
    ['beside one of some months', prices('forever', loyal({ duration: 'repeating' }, END * 2))],
    [
      'for another plan beside a discount of the next payment',
      prices('plan', loyal({ duration: 'once' }), { price: priceOf() }),
    ],
    [
      'for a plan by usage',
      prices(
        'plan',
        {},
        { price: priceOf({ recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } }) },
      ),
    ],
    ['for a plan in another currency', prices('plan', {}, { price: priceOf({ currency: 'usd' }) })],
    ['with a coupon that is not known', prices('coupon', {}, { coupon: 'unknown' })],
    [
      'with a coupon in another currency',
      prices('coupon', {}, { coupon: couponOf({ amount_off: 1, currency: 'usd', duration: 'once' }) }),
    ],
  ])('is not said %s', (_, said) => expect(said).toBeUndefined());
});
