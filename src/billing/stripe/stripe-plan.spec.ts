import type Stripe from 'stripe';
import type { ShownOffer } from '../../offers/shown-offer';
import type { OfferTerms } from '../../offers/terms/types';
import type { OfferType } from '../../offers/terms/types';
import type { Ending, Task } from '../model/provider';
import { type Plan, planOf } from './stripe-plan';

const seconds = (time: string) => Date.parse(time) / 1000;
const NOW = new Date('2026-03-01T10:00:00Z');
const END = seconds('2026-03-15T10:00:00Z');
const MONTHLY = { interval: 'month', interval_count: 1 };
const every = (interval: string, interval_count = 1) => ({
  price: priceOf({ recurring: { interval, interval_count } }),
});

const priceOf = (fields: object = {}) => ({
  id: 'price_now',
  active: true,
  currency: 'eur',
  recurring: MONTHLY,
  ...fields,
});
const discountOf = (id: string, coupon: string) => ({ id, source: { coupon } });

function subscriptionOf({ item, ...fields }: { item?: object } & Record<string, unknown> = {}): Stripe.Subscription {
  const items = { data: [{ id: 'si_1', quantity: 25, current_period_end: END, price: priceOf(), ...item }] };
  const none = {
    schedule: null,
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    trial_end: null,
  };
  const subscription = {
    status: 'active',
    currency: 'eur',
    discounts: [],
    metadata: {},
    billing_cycle_anchor: END,
    items,
  };
  return { ...subscription, ...none, ...fields } as unknown as Stripe.Subscription;
}

function taskOf(
  action: Task['action'],
  offer: Pick<ShownOffer, 'offer_type' | 'terms'> | null,
  more: Partial<Task> = {},
): Task {
  return { id: 'session_2', action, offer: offer as ShownOffer, proration: 'create_prorations', ...more } as Task;
}

const OFFERS = {
  discount: { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'once' } },
  'discount in euros': {
    offer_type: 'discount_fixed',
    terms: { amount_off: 500, currency: 'EUR', duration: 'forever' },
  },
  coupon: { offer_type: 'discount_fixed', terms: { coupon: 'stay' } },
  pause: { offer_type: 'pause_subscription', terms: { months: 1 } },
  extension: { offer_type: 'trial_extension', terms: { days: 14 } },
  plan: { offer_type: 'plan_change', terms: { price: 'price_then' } },
} satisfies Record<string, { offer_type: OfferType; terms: OfferTerms }>;
type Kind = keyof typeof OFFERS;
const KINDS = Object.keys(OFFERS) as Kind[];

const THEN = priceOf({ id: 'price_then' });

const decide = (task: Task, subscription: Stripe.Subscription, facts: object = { price: THEN }) =>
  planOf(task, subscription, { now: NOW, ...facts });
const offered = (kind: Kind, fields?: Parameters<typeof subscriptionOf>[0], facts?: object) =>
  decide(taskOf('apply', OFFERS[kind]), subscriptionOf(fields), facts);
const changeIn = (plan: Plan | Ending) => ('change' in plan ? plan.change : plan);

/**
 * States of a subscription, and the offers that are left to a person in each, with the reason. All others are applied.
 */
const STATES: [state: string, Parameters<typeof subscriptionOf>[0], Kind[], RegExp][] = [
  ['active', {}, [], /^/],
  ['in a trial', { status: 'trialing', trial_end: END }, [], /^/],
  ['with a discount', { discounts: [discountOf('di_1', 'loyal')] }, [], /^/],
  ['paid each year', { item: every('year') }, ['pause', 'plan'], /once a month|paid each month/],
  ['paid every 3 months', { item: every('month', 3) }, ['pause', 'plan'], /once a month|paid each month/],
  ['paid every 12 weeks', { item: every('week', 12) }, ['pause', 'plan'], /once a month|paid each month/],
  ['paid every 26 weeks', { item: every('week', 26) }, ['pause', 'plan'], /once a month|paid each month/],
  ['paid every 365 days', { item: every('day', 365) }, ['pause', 'plan'], /once a month|paid each month/],
  ['past due', { status: 'past_due' }, KINDS, /is not paid \(past_due\)/],
  ['unpaid', { status: 'unpaid' }, KINDS, /is not paid \(unpaid\)/],
  ['incomplete', { status: 'incomplete' }, KINDS, /is not paid \(incomplete\)/],
  ['paused', { status: 'paused' }, KINDS, /is paused\. Resume/],
  ['canceled', { status: 'canceled' }, KINDS, /is canceled/],
  ['that never came to be', { status: 'incomplete_expired' }, KINDS, /is canceled/],
  ['with a schedule', { schedule: 'sub_sched_1' }, KINDS, /schedule/],
  ['that ends', { cancel_at_period_end: true, cancel_at: END }, KINDS, /about to end/],
  ['with an end in a year', { cancel_at: END * 2 }, KINDS, /about to end/],
  [
    'whose payments are paused',
    { pause_collection: { behavior: 'keep_as_draft', resumes_at: END } },
    ['pause', 'extension'],
    /paused already, until 2026-03-15/,
  ],
  [
    'whose payments are paused for good',
    { pause_collection: { behavior: 'void', resumes_at: null } },
    ['pause', 'extension'],
    /nobody resumes/,
  ],
  [
    'in dollars',
    { currency: 'usd', item: { price: priceOf({ currency: 'usd' }) } },
    ['discount in euros', 'plan'],
    /in EUR/,
  ],
  ['with the coupon', { discounts: [discountOf('di_1', 'stay')] }, ['coupon'], /already/],
  ['with the price', { item: { price: THEN } }, ['plan'], /already/],
];

describe('An accepted offer, for a subscription', () => {
  it.each(STATES)('%s', (_, fields, left, why) => {
    const decided = KINDS.map((kind) => [kind, offered(kind, fields)] as const);
    const manual = decided.filter(([, plan]) => 'state' in plan);
    expect(manual.map(([kind]) => kind)).toEqual(left);
    for (const [, plan] of manual) expect(plan).toEqual({ state: 'manual', detail: expect.stringMatching(why) });
    for (const [, plan] of decided)
      if ('change' in plan) expect(plan.change.metadata).toEqual({ retention_flow_session: 'session_2' });
  });
});

describe('A price or a coupon in several currencies', () => {
  const dollars = { currency: 'usd', item: { price: priceOf({ currency: 'usd' }) } };

  it('is taken in that of the subscription', () => {
    const price = { ...THEN, currency_options: { usd: {} } };
    expect(offered('plan', dollars, { price })).toHaveProperty('change');
    const coupon = { valid: true, currency: 'eur', currency_options: { usd: {} } };
    expect(offered('coupon', dollars, { coupon })).toHaveProperty('change');
  });
});

describe('A discount', () => {
  const forMonths = (months: number, fields: Parameters<typeof subscriptionOf>[0]) =>
    decide(
      taskOf('apply', { offer_type: 'discount_percentage', terms: { percent_off: 50, duration: 'repeating', months } }),
      subscriptionOf(fields),
    );

  it('that would end before the next payment is left to a person: it would give nothing', () => {
    const item = { ...every('year'), current_period_end: seconds('2026-09-15T10:00:00Z') };
    expect(forMonths(3, { item })).toEqual({
      state: 'manual',
      detail: expect.stringMatching(/^The discount would end before the next payment on 2026-09-15\./),
    });
    expect(forMonths(7, { item })).toHaveProperty('change');
    expect(forMonths(1, {})).toHaveProperty('change');
  });

  const discountsOf = (...given: Parameters<typeof offered>) =>
    (changeIn(offered(...given)) as { discounts: object }).discounts;

  it('stands beside those that the subscription has', () => {
    const loyal = { discounts: [discountOf('di_1', 'loyal')] };
    expect(discountsOf('coupon', loyal)).toEqual([{ discount: 'di_1' }, { coupon: 'stay' }]);
  });

  it("stands beside the customer's own, which the subscription inherits while it has none", () => {
    expect(discountsOf('coupon', {}, { ofCustomer: discountOf('di_own', 'loyal') })).toEqual([
      { discount: 'di_own' },
      { coupon: 'stay' },
    ]);
  });

  it('does not bring back the own discount of a customer that the subscription does not inherit', () => {
    const loyal = { discounts: [discountOf('di_1', 'loyal')] };
    expect(discountsOf('coupon', loyal, { ofCustomer: discountOf('di_own', 'loyal') })).toEqual([
      { discount: 'di_1' },
      { coupon: 'stay' },
    ]);
  });

  it("is left to a person if it is the customer's own already", () => {
    const own = { ofCustomer: discountOf('di_own', 'stay') };
    expect(offered('coupon', {}, own)).toEqual({ state: 'manual', detail: expect.stringMatching(/already/) });
  });

  it('has a name on the invoice that says what it is, and nothing that the team calls it', () => {
    const names = (['discount', 'discount in euros'] as const).map((kind) => (offered(kind) as Plan).coupon!.name);
    expect(names).toEqual(['30% off', '€5.00 off']);
  });
});

describe('A pause', () => {
  const resumption = (fields: Parameters<typeof subscriptionOf>[0], months: number) => {
    const pause = { offer_type: 'pause_subscription' as const, terms: { months } };
    const { pause_collection } = changeIn(decide(taskOf('apply', pause), subscriptionOf(fields))) as {
      pause_collection: { resumes_at: number };
    };
    return new Date(pause_collection.resumes_at * 1000).toISOString();
  };
  const period = (anchor: string, current_period_end: string) => ({
    billing_cycle_anchor: seconds(anchor),
    item: { current_period_end: seconds(current_period_end) },
  });

  it.each([
    ['1 month', 1, '2026-03-16'],
    ['3 months', 3, '2026-05-16'],
  ])('of %s ends a day after as many invoices', (_, months, day) => {
    expect(resumption({}, months)).toBe(`${day}T10:00:00.000Z`);
  });

  it('on the last day of February passes over the invoice of 31 March', () => {
    expect(resumption(period('2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'), 2)).toBe('2026-04-01T10:00:00.000Z');
  });

  it('over the end of a year counts the months', () => {
    expect(resumption(period('2025-05-30T10:00:00Z', '2026-12-30T10:00:00Z'), 3)).toBe('2027-03-01T10:00:00.000Z');
  });

  it('in a trial passes over the first invoice, which comes when the trial is over', () => {
    const trial = {
      status: 'trialing',
      trial_end: seconds('2026-04-20T10:00:00Z'),
      ...period('2026-04-20T10:00:00Z', '2026-04-20T10:00:00Z'),
    };
    expect(resumption(trial, 1)).toBe('2026-04-21T10:00:00.000Z');
  });
});

it('A pause is left to a person while a trial leads to an anchor on another day', () => {
  const stub = {
    status: 'trialing',
    billing_cycle_anchor: seconds('2026-06-01T10:00:00Z'),
    item: { current_period_end: seconds('2026-05-20T10:00:00Z') },
  };
  expect(offered('pause', stub)).toEqual({ state: 'manual', detail: expect.stringMatching(/does not end on the day/) });
});

describe('A change of plan', () => {
  const plan = (item: object, then: object = {}, more: Partial<Task> = {}) =>
    decide(taskOf('apply', OFFERS.plan, more), subscriptionOf({ item }), {
      price: priceOf({ id: 'price_then', ...then }),
    });

  it('keeps the quantity', () => {
    expect(changeIn(plan({}))).toMatchObject({ items: [{ id: 'si_1', price: 'price_then', quantity: 25 }] });
  });

  it('sends no quantity for what is metered', () => {
    const { items } = changeIn(plan({ quantity: undefined })) as { items: object[] };
    expect(items).toEqual([{ id: 'si_1', price: 'price_then' }]);
  });

  it('that is billed at once does not hold if the card is declined', () => {
    expect(changeIn(plan({}, {}, { proration: 'always_invoice' }))).toMatchObject({
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
  });

  it.each([
    ['to a price that is archived', {}, { active: false }, /archived/],
    ['from a year to a month', every('year'), {}, /paid each month, the one of the subscription each year/],
    ['to another currency', {}, { currency: 'usd' }, /in USD, the subscription in EUR/],
    ['to a price that is paid once', {}, { recurring: null }, /time that it is bought/],
  ])('%s is left to a person', (_, item, then, why) => {
    expect(plan(item, then)).toEqual({ state: 'manual', detail: expect.stringMatching(why) });
  });

  it('of a subscription with two items is left to a person', () => {
    const items = { data: [1, 2].map(() => ({ current_period_end: END, price: priceOf() })) };
    expect(offered('plan', { items })).toEqual({ state: 'manual', detail: expect.stringMatching(/2 items/) });
  });
});

describe('To cancel', () => {
  const cancel = (fields = {}, more: Partial<Task> = {}) =>
    decide(taskOf('cancel', null, more), subscriptionOf(fields));

  it('sets the end of the period, and notes whose end it is', () => {
    expect(cancel()).toEqual({
      change: {
        cancel_at_period_end: true,
        metadata: { retention_flow_session: 'session_2', retention_flow_end: 'session_2' },
      },
      detail: null,
    });
  });

  it.each([
    ['a reason', { feedback: 'unused' as const }, { feedback: 'unused', comment: '' }],
    ['a comment', { comment: 'Too dear' }, { feedback: '', comment: 'Too dear' }],
  ])('says %s, and leaves nothing of what was said elsewhere', (_, said, cancellation_details) => {
    expect(changeIn(cancel({}, said))).toMatchObject({ cancellation_details });
  });

  it.each([
    ['at the end of the period', { cancel_at_period_end: true }, '2026-03-15'],
    ['on an earlier day', { cancel_at: seconds('2026-03-03T00:00:00Z') }, '2026-03-03'],
  ])('changes nothing of a subscription that ends %s', (_, fields, day) => {
    expect(cancel(fields)).toEqual({ state: 'applied', detail: `It already ends on ${day}.` });
  });

  it('is left to a person if somebody has set a later end', () => {
    expect(cancel({ cancel_at: END + 1 })).toMatchObject({ state: 'manual' });
  });

  it('is nothing to do for a subscription that is canceled', () => {
    expect(cancel({ status: 'canceled' })).toEqual({ state: 'applied', detail: 'It was already canceled.' });
  });
});

describe('To keep', () => {
  const keep = (fields = {}) => decide(taskOf('keep', null), subscriptionOf(fields));
  const OURS = { cancel_at_period_end: true, cancel_at: END, metadata: { retention_flow_end: 'session_1' } };

  it('is nothing to do where nothing ends', () => {
    expect(keep()).toEqual({ state: 'none' });
  });

  it('takes back an end that we have set, and says so', () => {
    expect(keep(OURS)).toEqual({
      change: {
        cancel_at_period_end: false,
        metadata: { retention_flow_session: 'session_2', retention_flow_end: '' },
      },
      detail: 'The cancellation that was carried out before is taken back.',
    });
  });

  it.each([
    ['set by somebody else', { cancel_at_period_end: true }, /about to end/],
    ['set by somebody else after ours', { ...OURS, cancel_at_period_end: false }, /about to end/],
    ['that we have set, under a schedule', { ...OURS, schedule: 'sub_sched_1' }, /schedule/],
    ['that has come', { ...OURS, status: 'canceled' }, /is canceled/],
  ])('leaves an end to a person: %s', (_, fields, why) => {
    expect(keep(fields)).toEqual({ state: 'manual', detail: expect.stringMatching(why) });
  });

  it('forgets a mark of an end that somebody has undone', () => {
    const { change } = offered('coupon', { metadata: { retention_flow_end: 'session_1' } }) as Plan;
    expect(change.metadata).toEqual({ retention_flow_session: 'session_2', retention_flow_end: '' });
    expect(change).not.toHaveProperty('cancel_at_period_end');
  });

  it.each(KINDS)('comes with an accepted offer, if we have set the end: %s', (kind) => {
    const { change, detail } = offered(kind, OURS) as Plan;
    expect(change).toMatchObject({ cancel_at_period_end: false, metadata: { retention_flow_end: '' } });
    expect(Object.keys(change).length).toBeGreaterThan(2);
    expect(detail).toMatch(/taken back/);
  });
});
