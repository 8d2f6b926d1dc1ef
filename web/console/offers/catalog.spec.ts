import { type Catalog, couponsIn, pricesIn, unknownIn } from './catalog';

const price = { id: 'price_1', name: 'Basic', amount: 1900, currency: 'EUR', interval: 'month', interval_count: 1 };
const coupon = {
  id: 'stay',
  name: null,
  percent_off: 30,
  amount_off: null,
  currency: null,
  duration: 'once',
  months: null,
};
const catalog: Catalog = {
  provider: 'stripe',
  prices: [price, { ...price, id: 'price_2', name: null, amount: null, interval: 'year', interval_count: 2 }],
  coupons: [
    coupon,
    {
      ...coupon,
      id: 'less',
      name: 'Less',
      percent_off: null,
      amount_off: 500,
      currency: 'USD',
      duration: 'repeating',
      months: 3,
    },
  ],
  has_more_prices: false,
  has_more_coupons: false,
};

it('Prices and coupons are named by what they cost and take off', () => {
  expect([...pricesIn(catalog)!.values()]).toEqual(['Basic: €19.00 a month', 'price_2: no fixed price, every 2 years']);
  expect([...couponsIn(catalog)!.values()]).toEqual(['stay: 30% off once', 'Less: $5.00 off for 3 months']);
});

it('What Stripe does not have is said, if all that it has is known', () => {
  expect(unknownIn({ price: 'price_1' }, catalog)).toBeUndefined();
  expect(unknownIn({ price: 'prod_1' }, catalog)).toBe('Stripe has no price prod_1 to choose.');
  expect(unknownIn({ coupon: 'gone' }, catalog)).toBe('Stripe has no coupon gone that can be redeemed.');
  expect(unknownIn({ months: 2 }, catalog)).toBeUndefined();
  for (const unknown of [undefined, { ...catalog, has_more_prices: true }])
    expect(unknownIn({ price: 'prod_1' }, unknown)).toBeUndefined();
});
