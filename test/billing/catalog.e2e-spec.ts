import { Service, type Tenant } from '../support/service';
import { API_KEY, Cut, StripeDouble } from './stripe-double';
import { billingAt, CONNECTION } from './subscriber';

const CATALOG = '/api/v1/public/billing/catalog';
const OFFERS = '/api/v1/public/offers';

describe('What offers can name of Stripe', () => {
  let stripe: StripeDouble;
  let service: Service;
  let acme: Tenant;

  beforeEach(async () => {
    stripe = await StripeDouble.start();
    service = await Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false' });
    acme = await service.workspace();
    stripe.prices.set('price_basic', { nickname: 'Basic', unit_amount: 1900 });
    stripe.prices.set('price_used', {
      unit_amount: 2,
      currency: 'usd',
      recurring: { interval: 'year', interval_count: 2, usage_type: 'metered' },
    });
    stripe.prices.set('price_old', { active: false });
    stripe.coupons.set('stay-30', { id: 'stay-30', name: '30 % off', percent_off: 30 });
    stripe.coupons.set('over', { id: 'over', valid: false });
  });
  afterEach(async () => {
    await service.stop();
    await stripe.stop();
  });

  const connect = () => acme.client.put(CONNECTION, { api_key: API_KEY });
  const planChange = (price: string) => ({ name: 'Smaller', offer_type: 'plan_change', terms: { price } });
  const discount = (coupon: string) => ({ name: 'Less', offer_type: 'discount_percentage', terms: { coupon } });

  it('is its prices that are paid again, and its coupons that can be redeemed', async () => {
    await connect();
    expect((await acme.client.get(CATALOG)).body).toEqual({
      provider: 'stripe',
      prices: [
        { id: 'price_basic', name: 'Basic', amount: 1900, currency: 'EUR', interval: 'month', interval_count: 1 },
        { id: 'price_used', name: null, amount: null, currency: 'USD', interval: 'year', interval_count: 2 },
      ],
      coupons: [
        {
          id: 'stay-30',
          name: '30 % off',
          percent_off: 30,
          amount_off: null,
          currency: null,
          duration: 'forever',
          months: null,
        },
      ],
      has_more_prices: false,
      has_more_coupons: false,
    });
  });

  it('is without prices if the key may not read them', async () => {
    await connect();
    stripe.forbidden = /prices/;
    expect((await acme.client.get(CATALOG)).body).toMatchObject({ prices: null, coupons: [{ id: 'stay-30' }] });
  });

  it('is 404 without a connection, 409 if the key is refused, and 503 while Stripe does not answer', async () => {
    expect((await acme.client.get(CATALOG)).status).toBe(404);
    await connect();
    stripe.isKeyRefused = true;
    const { status, body } = await acme.client.get(CATALOG);
    expect([status, body.code]).toEqual([409, 'billing_refused']);
    stripe.isKeyRefused = false;
    stripe.heard = () => Promise.reject(new Cut());
    expect((await acme.client.get(CATALOG)).status).toBe(503);
  });

  it('is gone as soon as the connection is, and that of another account as soon as it has another key', async () => {
    await connect();
    expect((await acme.client.get(CATALOG)).body.prices).toHaveLength(2);
    expect((await acme.client.delete(CONNECTION)).status).toBe(200);
    expect((await acme.client.get(CATALOG)).status).toBe(404);
    stripe.prices.delete('price_used');
    await connect();
    expect((await acme.client.get(CATALOG)).body.prices).toHaveLength(1);
  });

  it('is checked when an offer is changed, published or restored: what Stripe does not have is a warning', async () => {
    await connect();
    const { id } = (await acme.client.post(OFFERS, planChange('price_basic'))).body;
    const warningsOf = async (change: object) => (await acme.client.put(`${OFFERS}/${id}`, change)).body.warnings;
    expect(await warningsOf({ terms: { price: 'price_gone' } })).toEqual([
      { pointer: '/terms/price', message: 'Stripe does not know the price price_gone' },
    ]);
    expect(await warningsOf({ terms: { price: 'price_old' } })).toEqual([
      { pointer: '/terms/price', message: 'the price price_old is archived in Stripe' },
    ]);
    expect(await warningsOf({ terms: { price: 'price_basic' } })).toBeUndefined();
    await acme.client.put(`${OFFERS}/${id}/draft`, { terms: { price: 'price_old' } });
    const { body: published } = await acme.client.post(`${OFFERS}/${id}/draft/publish`, {});
    expect(published.warnings).toHaveLength(1);
    stripe.prices.set('price_basic', { active: false });
    const { body: restored } = await acme.client.post(`${OFFERS}/${id}/versions/1/restore`, {});
    expect(restored).toMatchObject({ warnings: [{ message: 'the price price_basic is archived in Stripe' }] });

    const { id: other } = (await acme.client.post(OFFERS, discount('stay-30'))).body;
    const coupons = async (coupon: string) =>
      (await acme.client.put(`${OFFERS}/${other}`, { terms: { coupon } })).body.warnings;
    expect(await coupons('nobody')).toEqual([
      { pointer: '/terms/coupon', message: 'Stripe does not know the coupon nobody' },
    ]);
    expect(await coupons('over')).toEqual([
      { pointer: '/terms/coupon', message: 'the coupon over can’t be redeemed any more' },
    ]);
  });

  it('is not checked without a connection, nor while Stripe does not answer: the offer is changed all the same', async () => {
    const { id } = (await acme.client.post(OFFERS, planChange('price_gone'))).body;
    const change = async (price: string) => (await acme.client.put(`${OFFERS}/${id}`, { terms: { price } })).body;
    expect(await change('price_gone')).toEqual({ updated: true, id });
    await connect();
    stripe.heard = () => Promise.reject(new Cut());
    expect(await change('price_other')).toEqual({ updated: true, id });
    expect((await acme.client.get(`${OFFERS}/${id}`)).body.terms).toEqual({ price: 'price_other' });
  });
});
