import type Stripe from 'stripe';
import type { Billed } from '../model/billed';
import type { Change } from '../model/changes';
import { billedOf } from './stripe-billed';
import { requestsFor, textOf } from './stripe-requests';

const END = Date.parse('2026-03-15T10:00:00Z') / 1000;
const UNTIL = new Date('2026-04-15T10:00:00Z');

const price = { id: 'price_now', currency: 'eur', unit_amount: 1000, product: 'prod_pro', transform_quantity: null };
const item = {
  id: 'si_1',
  quantity: 25,
  current_period_end: END,
  discounts: [],
  price: { ...price, recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' } },
};
const SUBSCRIPTION = {
  id: 'sub_1',
  customer: 'cus_ada',
  status: 'active',
  currency: 'eur',
  metadata: {},
  discounts: [],
  schedule: null,
  trial_end: null,
  cancel_at: null,
  cancel_at_period_end: false,
  pause_collection: null,
  billing_cycle_anchor: END,
  items: { data: [item] },
};
const billed = (fields: object = {}, items: object[] = [item]): Billed =>
  billedOf({ ...SUBSCRIPTION, ...fields } as unknown as Stripe.Subscription, items as Stripe.SubscriptionItem[]);
const updateFor = (change: Change, fields?: object, items?: object[]) =>
  requestsFor(change, billed(fields, items), 'session_2').update;

const OURS = { cancel_at_period_end: true, cancel_at: END, metadata: { retention_flow_end: 'session_1' } };
const MADE: Change = { kind: 'discount', terms: { percent_off: 30, duration: 'repeating', months: 3 } };
const CHANGES: Change[] = [
  MADE,
  { kind: 'pause', until: UNTIL },
  { kind: 'extension', until: UNTIL },
  { kind: 'plan_change', price: 'price_then', proration: 'none' },
  { kind: 'stay' },
];

describe('A subscription of Stripe', () => {
  it.each([
    ['trialing', 'trialing', false],
    ['past_due', 'unpaid', true],
    ['unpaid', 'unpaid', false],
    ['incomplete', 'incomplete', false],
    ['incomplete_expired', 'over', false],
    ['canceled', 'over', false],
  ])('that is %s', (status, expected, isRetried) => {
    expect(billed({ status })).toMatchObject({ status: expected, isRetried });
  });

  it('has an end of ours only if our mark is there, and its end was not set anew', () => {
    expect(billed(OURS).end).toEqual({ at: new Date(END * 1000), isOurs: true });
    expect(billed({ ...OURS, metadata: {} }).end).toMatchObject({ isOurs: false });
    expect(billed({ ...OURS, cancel_at_period_end: false }).end).toMatchObject({ isOurs: false });
  });

  it.each([
    ['of a coupon that we have made', 'retention-flow-30pct-once', true],
    ['of the coupon that was accepted last', 'stay', true],
    ['of another coupon', 'loyal', false],
  ])('has a discount %s', (_, coupon, isOurs) => {
    const discounts = [{ id: 'di_1', end: null, source: { coupon } }];
    const [discount] = billed({ discounts, metadata: { retention_flow_coupon: 'stay' } }).discounts;
    expect(discount).toMatchObject({ coupon, isOurs });
  });
});

describe('A change is asked of Stripe', () => {
  it.each(CHANGES)('with the mark of its session, and takes back an end of ours: $kind', (change) => {
    expect(updateFor(change)).toMatchObject({
      metadata: { retention_flow_session: 'session_2', retention_flow_end: '' },
    });
    expect(updateFor(change)).not.toHaveProperty('cancel_at_period_end');
    expect(updateFor(change, OURS)).toMatchObject({ cancel_at_period_end: false });
  });

  it('as a discount beside those that there are', () => {
    const loyal = { discounts: [{ id: 'di_1', end: null, source: { coupon: 'loyal' } }] };
    expect(updateFor({ kind: 'discount', terms: { coupon: 'stay' } }, loyal)).toMatchObject({
      discounts: [{ discount: 'di_1' }, { coupon: 'stay' }],
      metadata: { retention_flow_coupon: 'stay' },
    });
  });

  it('as a coupon whose name on the invoice says what it is, and nothing that the team calls it', () => {
    const euros: Change = { kind: 'discount', terms: { amount_off: 500, currency: 'EUR', duration: 'once' } };
    const coupons = [MADE, euros].map((change) => requestsFor(change, billed(), 'session_2').coupon);
    expect(coupons).toEqual([
      {
        id: 'retention-flow-30pct-repeating-3m',
        name: '30% off',
        percent_off: 30,
        duration: 'repeating',
        duration_in_months: 3,
      },
      { id: 'retention-flow-500eur-once', name: '€5.00 off', amount_off: 500, currency: 'eur', duration: 'once' },
    ]);
  });

  it('as another price with the quantity that there is, and none for what is metered', () => {
    const change: Change = { kind: 'plan_change', price: 'price_then', proration: 'create_prorations' };
    expect(updateFor(change)).toMatchObject({ items: [{ id: 'si_1', price: 'price_then', quantity: 25 }] });
    const metered = { ...item, quantity: undefined };
    expect(updateFor(change, {}, [metered])!.items).toEqual([{ id: 'si_1', price: 'price_then' }]);
  });

  it('as another price that does not hold if it is billed at once and the card is declined', () => {
    expect(updateFor({ kind: 'plan_change', price: 'price_then', proration: 'always_invoice' })).toMatchObject({
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
  });

  it.each([
    ['a reason', { feedback: 'unused' as const }, { feedback: 'unused', comment: '' }],
    ['a comment', { comment: 'Too dear' }, { feedback: '', comment: 'Too dear' }],
  ])('as an end of the period with %s, and nothing is left of what was said elsewhere', (_, said, details) => {
    expect(updateFor({ kind: 'end', isNow: false, voids: false, ...said })).toEqual({
      cancel_at_period_end: true,
      cancellation_details: details,
      metadata: { retention_flow_session: 'session_2', retention_flow_end: 'session_2' },
    });
  });

  describe('where the plan changes at the end of the period:', () => {
    const agreed = {
      schedule: { id: 'sub_sched_1', isOurs: true },
      planned: { price: { ...billed().items[0].price, id: 'price_next' }, isArranged: true },
    };
    const sent = (change: Change, more: Partial<Billed> = agreed) =>
      requestsFor(change, { ...billed(), ...more }, 'session_2');
    const END_OF_PERIOD = { kind: 'end', isNow: false, voids: false } as const;
    const later = (price: string): Change => ({ kind: 'plan_change', price, proration: 'at_period_end' });
    const marked = (to: string) => ({
      metadata: expect.objectContaining({ retention_flow_price: to && `price_now>${to}` }),
    });

    it('the subscription stays as it is, says what is to come, and a schedule is made', () => {
      const requests = sent(later('price_then'), { schedule: null, planned: null });
      expect(requests).toEqual({ update: marked('price_then'), arrange: 'price_then' });
      expect(Object.keys(requests.update!)).toEqual(['metadata']);
      expect(textOf(requests, 'sub_1')).toMatch(
        /from_subscription=sub_1\n\nPOST \/v1\/subscription_schedules\/\{its id\}\nphases\[1\]\[items\]\[0\]\[price\]=price_then$/,
      );
    });

    it.each(CHANGES.filter(({ kind }) => kind !== 'plan_change'))(
      'our schedule makes way for another change, and comes back: $kind',
      (change) => {
        expect(sent(change)).toMatchObject({
          release: 'sub_sched_1',
          update: marked('price_next'),
          arrange: 'price_next',
        });
      },
    );

    it('our schedule makes way for the end, and the subscription says what was to come', () => {
      expect(sent(END_OF_PERIOD)).toEqual({
        release: 'sub_sched_1',
        update: { cancel_at_period_end: true, ...marked('price_next') },
      });
    });

    it.each<[string, Change, string | undefined]>([
      ['another one', later('price_then'), 'price_then'],
      ['the present one', later('price_now'), undefined],
      ['one at once', { kind: 'plan_change', price: 'price_then', proration: 'none' }, undefined],
    ])('%s takes the place of the plan that was agreed before', (_, change, arrange) => {
      const requests = sent(change);
      expect(requests).toMatchObject({ release: 'sub_sched_1', update: marked(arrange ?? '') });
      expect(requests.arrange).toBe(arrange);
    });
  });

  it('as an end at once by a call of its own: an incomplete subscription takes no other change', () => {
    const requests = requestsFor(
      { kind: 'end', isNow: true, voids: false, comment: 'Too dear' },
      billed(),
      'session_2',
    );
    expect(requests).toEqual({ cancel: { cancellation_details: { feedback: '', comment: 'Too dear' } } });
    expect(textOf(requests, 'sub_1')).toMatch(/^DELETE \/v1\/subscriptions\/sub_1\ncancellation_details/);
  });
});
