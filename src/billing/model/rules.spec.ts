import type { Permission } from '../../billing-jobs/billing-connection.entity';
import type { OfferTerms, OfferType } from '../../offers/terms/types';
import type { Billed, BilledDiscount, BilledItem, BilledPrice, Coupon, Named, NamedPrice, Reduction } from './billed';
import { changeFor } from './changes';
import { effectOf } from './effects';
import { obstacleTo } from './obstacles';
import { mismatchOf } from './result';
import { leaving } from './sentences';
import type { AgreedOffer, Task } from './task';

const NOW = new Date('2026-03-01T10:00:00Z');
const END = new Date('2026-03-15T10:00:00Z');
const IN_A_YEAR = new Date('2027-03-15T10:00:00Z');
const at = (day: string) => new Date(`${day}T10:00:00Z`);

const priceOf = (fields: Partial<BilledPrice> = {}): BilledPrice => ({
  id: 'price_now',
  amount: 1000,
  currency: 'EUR',
  interval: { unit: 'month', count: 1 },
  product: 'prod_pro',
  isMetered: false,
  ...fields,
});
const every = (unit: NonNullable<BilledPrice['interval']>['unit'], count = 1) => priceOf({ interval: { unit, count } });
const itemOf = (fields: Partial<BilledItem> = {}): BilledItem => ({
  id: 'si_1',
  price: priceOf(),
  quantity: 3,
  ends: END,
  isDiscounted: false,
  ...fields,
});
const FOREVER: Reduction = {
  percent: 50,
  amount: null,
  currency: null,
  duration: 'forever',
  months: null,
  products: null,
};
const discountOf = (off: Partial<Reduction> | null = {}, fields: Partial<BilledDiscount> = {}): BilledDiscount => ({
  id: 'di_1',
  coupon: 'loyal',
  off: off && { ...FOREVER, ...off },
  ends: null,
  isOurs: false,
  ...fields,
});
const couponOf = (fields: Partial<Coupon> = {}): Coupon => ({ ...FOREVER, isValid: true, currencies: [], ...fields });
const namedPrice = (fields: Partial<NamedPrice> = {}): NamedPrice => {
  const price = { ...priceOf({ id: 'price_then', amount: 450 }), ...fields };
  return { isActive: true, currencies: [price.currency], ...price };
};
const billedOf = (fields: Partial<Billed> = {}): Billed => ({
  id: 'sub_1',
  system: 'Stripe',
  owner: { billing_id: 'cus_ada', id: null },
  status: 'active',
  isRetried: false,
  currency: 'EUR',
  presentment: null,
  since: new Date('2026-01-31T12:00:00Z'),
  country: null,
  clock: null,
  items: [itemOf()],
  anchor: END,
  discounts: [],
  mayInherit: false,
  end: null,
  pause: null,
  schedule: null,
  planned: null,
  changedBy: null,
  ...fields,
});
const ending = (day: Date, isOurs = false): Partial<Billed> => ({ end: { at: day, isOurs } });
const THEIRS = { id: 'sched_1', isOurs: false };
/** The price of the next period, as the customer agreed before. */
const planned = (fields: Partial<BilledPrice> = {}): Partial<Billed> => ({
  schedule: { id: 'sched_1', isOurs: true },
  planned: { price: priceOf({ id: 'price_next', amount: 600, ...fields }), isArranged: true },
});
const AT_ONCE = { now: NOW, proration: 'create_prorations' as const };

const OFFERS = {
  once: { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'once' } },
  months: { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'repeating', months: 3 } },
  euros: { offer_type: 'discount_fixed', terms: { amount_off: 500, currency: 'EUR', duration: 'forever' } },
  coupon: { offer_type: 'discount_fixed', terms: { coupon: 'stay' } },
  pause: { offer_type: 'pause_subscription', terms: { months: 2 } },
  extension: { offer_type: 'trial_extension', terms: { days: 14 } },
  plan: { offer_type: 'plan_change', terms: { price: 'price_then' } },
} satisfies Record<string, { offer_type: OfferType; terms: OfferTerms }>;
type Kind = keyof typeof OFFERS;
const KINDS = Object.keys(OFFERS) as Kind[];
const DISCOUNTS: Kind[] = ['once', 'months', 'euros', 'coupon'];
const LATER: Kind[] = ['pause', 'extension'];

const NAMED: Named = { price: namedPrice(), coupon: couponOf() };
const obstacle = (kind: Kind, billed: Partial<Billed> = {}, named: Named = NAMED) =>
  obstacleTo(OFFERS[kind], billedOf(billed), named, NOW);
const taskOf = (action: Task['action'], offer: AgreedOffer | null, more: Partial<Task> = {}) =>
  ({
    id: 'session_2',
    action,
    offer,
    now: NOW,
    proration: 'create_prorations',
    unpaid_on_cancel: 'leave',
    ...more,
  }) as Task;

/** For each kind of subscription: why an offer is withheld, by its kind; `person` if it is shown, and left to them. */
const SUBSCRIPTIONS: [subscription: string, Partial<Billed>, Partial<Record<Kind, string>>, RegExp?][] = [
  ['that is paid each month', {}, {}],
  ['in a trial', { status: 'trialing' }, {}],
  ['with a discount', { discounts: [discountOf()] }, {}],
  [
    'that is paid each year',
    { items: [itemOf({ price: every('year') })] },
    { months: 'interval', pause: 'interval', plan: 'interval' },
  ],
  [
    'that is paid every 3 months',
    { items: [itemOf({ price: every('month', 3) })] },
    { months: 'interval', pause: 'interval', plan: 'interval' },
  ],
  [
    'that is paid every 12 weeks',
    { items: [itemOf({ price: every('week', 12) })] },
    { months: 'interval', pause: 'interval', plan: 'interval' },
  ],
  ['that is paid each week', { items: [itemOf({ price: every('week') })] }, { pause: 'interval', plan: 'interval' }],
  ['with an open invoice', { status: 'unpaid' }, of(KINDS, 'unpaid'), /is not paid/],
  ['whose first payment was never made', { status: 'incomplete' }, of(KINDS, 'unpaid'), /never made/],
  ['that stands still', { status: 'paused' }, of(KINDS, 'paused'), /is paused\. Resume/],
  ['that reduces no further payment', { status: 'over' }, of(KINDS, 'person'), /is canceled/],
  ['with a schedule', { schedule: THEIRS }, of(KINDS, 'schedule'), /schedule/],
  ['with a plan that we change later', planned(), {}],
  ['with this plan later', planned({ id: 'price_then' }), { plan: 'price' }, /has this price already/],
  ['with a free plan later', planned({ amount: 0 }), { ...of([...DISCOUNTS, ...LATER], 'nothing') }, /Nothing is paid/],
  ['that somebody has set to end', ending(END), of(KINDS, 'person'), /about to end/],
  ['that we have set to end', ending(END, true), {}],
  [
    'whose payments pause until a day',
    { pause: { until: END } },
    of([...DISCOUNTS, ...LATER], 'paused'),
    /until 2026-03-15/,
  ],
  [
    'whose payments pause for good',
    { pause: { until: null } },
    of([...DISCOUNTS, ...LATER], 'paused'),
    /nobody resumes/,
  ],
  [
    'in dollars',
    { currency: 'USD', items: [itemOf({ price: priceOf({ currency: 'USD' }) })] },
    { euros: 'currency', plan: 'currency' },
    /in EUR, the subscription in USD/,
  ],
  [
    'with the coupon of the offer',
    { discounts: [discountOf({}, { coupon: 'stay' })] },
    { coupon: 'discounted_already' },
  ],
  [
    'with a discount that was accepted here and still runs',
    { discounts: [discountOf({}, { isOurs: true })] },
    of(DISCOUNTS, 'discounted_already'),
    /still runs/,
  ],
  [
    'with a discount that was accepted here and reduces no further payment',
    { discounts: [discountOf({}, { isOurs: true, ends: at('2026-03-10') })] },
    {},
  ],
  [
    'with a discount of the next payment that was accepted here',
    { discounts: [discountOf({ duration: 'once' }, { isOurs: true })] },
    { ...of(DISCOUNTS, 'discounted_already'), pause: 'discounted_already' },
  ],
  ['that has the price', { items: [itemOf({ price: priceOf({ id: 'price_then' }) })] }, { plan: 'price' }, /already/],
  [
    'with items that are paid on different days',
    { items: [itemOf(), itemOf({ ends: IN_A_YEAR })] },
    of([...LATER, 'plan'], 'items'),
    /2 items that are paid on different days/,
  ],
  ['with two items that are paid together', { items: [itemOf(), itemOf()] }, { plan: 'person' }, /2 items/],
  [
    'that is paid by usage',
    { items: [itemOf({ price: priceOf({ isMetered: true, amount: null }), quantity: null })] },
    of(LATER, 'usage'),
  ],
  [
    'that costs nothing',
    { items: [itemOf({ price: priceOf({ amount: 0 }) })] },
    of([...DISCOUNTS, ...LATER], 'nothing'),
  ],
  ['with 100 % off the next payment', { discounts: [discountOf({ percent: 100, duration: 'once' })] }, {}],
  ['with 100 % off', { discounts: [discountOf({ percent: 100 })] }, of([...DISCOUNTS, ...LATER], 'nothing')],
  [
    'in a trial that leads to another day than its later payments',
    { status: 'trialing', anchor: at('2026-06-01'), items: [itemOf({ ends: at('2026-05-20') })] },
    { pause: 'interval' },
  ],
];

function of(kinds: Kind[], why: string): Partial<Record<Kind, string>> {
  return Object.fromEntries(kinds.map((kind) => [kind, why]));
}

describe('Offers for a subscription', () => {
  it.each(SUBSCRIPTIONS)('%s', (...[, billed, expected, words]) => {
    const found = KINDS.flatMap((kind) => [obstacle(kind, billed) ?? []].flat().map((one) => [kind, one] as const));
    expect(Object.fromEntries(found.map(([kind, one]) => [kind, one.obstacle ?? 'person']))).toEqual(expected);
    for (const [, { detail }] of found) expect(detail).toMatch(words ?? /\.|:/);
    for (const kind of KINDS.filter((one) => !(one in expected))) {
      expect(changeFor(taskOf('apply', OFFERS[kind]), billedOf(billed), NAMED)).toHaveProperty('change');
    }
  });

  it.each<[string, Kind, Named, string]>([
    ['a price that there is not', 'plan', { price: 'unknown' }, 'price'],
    ['a price that is archived', 'plan', { price: namedPrice({ isActive: false }) }, 'price'],
    ['a price in another currency', 'plan', { price: namedPrice({ currency: 'USD' }) }, 'currency'],
    ['a price that is paid each year', 'plan', { price: namedPrice(every('year')) }, 'interval'],
    ['a price that is paid once', 'plan', { price: namedPrice({ interval: null }) }, 'interval'],
    ['a coupon that there is not', 'coupon', { coupon: 'unknown' }, 'coupon'],
    ['a coupon that can’t be redeemed any more', 'coupon', { coupon: couponOf({ isValid: false }) }, 'coupon'],
    [
      'a coupon in another currency',
      'coupon',
      { coupon: couponOf({ percent: null, amount: 5, currency: 'USD', currencies: ['USD'] }) },
      'currency',
    ],
    ['a coupon for other products', 'coupon', { coupon: couponOf({ products: ['prod_other'] }) }, 'nothing'],
  ])('that name %s are withheld', (_, kind, named, why) => expect(obstacle(kind, {}, named)?.obstacle).toBe(why));

  it('whose discount would end before the next payment are withheld: it would give nothing', () => {
    const items = [itemOf({ ends: at('2026-04-02') })];
    const coupon = couponOf({ duration: 'repeating', months: 1 });
    expect(obstacle('coupon', { items }, { coupon })).toEqual({
      obstacle: 'nothing',
      detail: expect.stringMatching(/^The discount would end before the next payment on 2026-04-02\./),
    });
    expect(obstacle('coupon', {}, { coupon })).toBeUndefined();
  });

  it('are shown where a price or a coupon has the currency of the subscription, too', () => {
    const dollars = { currency: 'USD', items: [itemOf({ price: priceOf({ currency: 'USD' }) })] };
    const currencies = ['EUR', 'USD'];
    expect(obstacle('plan', dollars, { price: namedPrice({ currencies }) })).toBeUndefined();
    const coupon = couponOf({ percent: null, amount: 5, currency: 'EUR', currencies });
    expect(obstacle('coupon', dollars, { coupon })).toBeUndefined();
  });
});

const effect = (kind: Kind, billed: Partial<Billed> = {}, named: Named = {}) => {
  const { price_now, price_then, until } = effectOf(OFFERS[kind], billedOf(billed), named, AT_ONCE);
  return [price_now, price_then, until && until.slice(0, 10)];
};

describe('What a customer pays now, then, and until when', () => {
  it.each<[string, ReturnType<typeof effect>, [number, number, string | null]]>([
    ['with a discount of the next payment', effect('once'), [3000, 2100, '2026-04-15']],
    ['with a discount of three months: of three payments', effect('months'), [3000, 2100, '2026-06-15']],
    ['with a discount for good', effect('euros'), [3000, 2500, null]],
    ['with a discount, and a plan that changes before', effect('euros', planned()), [1800, 1300, null]],
    ['with a coupon', effect('coupon', {}, { coupon: couponOf() }), [3000, 1500, null]],
    [
      'with a coupon for its product',
      effect('coupon', {}, { coupon: couponOf({ products: ['prod_pro'] }) }),
      [3000, 1500, null],
    ],
    ['in a pause of two months', effect('pause'), [3000, 0, '2026-05-15']],
    ['after an extension', effect('extension'), [3000, 0, '2026-03-29']],
    ['for another plan', effect('plan', {}, { price: namedPrice() }), [3000, 1350, null]],
    [
      'after the discount that there is, one after another, rounded',
      effect('once', { discounts: [discountOf({ percent: 33.3 })] }),
      [2001, 1401, '2026-04-15'],
    ],
    [
      'without a discount that ends before the next payment',
      effect('euros', { discounts: [discountOf({ duration: 'repeating' }, { ends: at('2026-03-14') })] }),
      [3000, 2500, null],
    ],
    [
      'without a discount of other products',
      effect('euros', { discounts: [discountOf({ products: ['prod_other'] })] }),
      [3000, 2500, null],
    ],
    [
      'never less than nothing',
      effect('euros', { items: [itemOf({ quantity: 1, price: priceOf({ amount: 300 }) })] }),
      [300, 0, null],
    ],
    [
      'on the last day of shorter months',
      effect('once', { anchor: at('2026-01-31'), items: [itemOf({ ends: at('2026-02-28') })] }),
      [3000, 2100, '2026-03-31'],
    ],
    ['each year', effect('once', { items: [itemOf({ price: every('year') })] }), [3000, 2100, '2027-03-15']],
    ['every 12 weeks', effect('once', { items: [itemOf({ price: every('week', 12) })] }), [3000, 2100, '2026-06-07']],
    ['every 10 days', effect('once', { items: [itemOf({ price: every('day', 10) })] }), [3000, 2100, '2026-03-25']],
    ['for several items', effect('once', { items: [itemOf(), itemOf({ quantity: 1 })] }), [4000, 2800, '2026-04-15']],
  ])('is said %s', (_, said, expected) => expect(said).toEqual(expected));

  const loyal = (off: Partial<Reduction> | null, ends: Date | null = null) => ({
    discounts: [discountOf(off, { ends })],
  });
  it.each<[string, ReturnType<typeof effect>]>([
    ['for a price by usage', effect('once', { items: [itemOf({ quantity: null })] })],
    ['for tiers or packages', effect('once', { items: [itemOf({ price: priceOf({ amount: null }) })] })],
    ['for a price in another currency', effect('once', { items: [itemOf({ price: priceOf({ currency: 'USD' }) })] })],
    ['for items with a discount of their own', effect('once', { items: [itemOf({ isDiscounted: true })] })],
    ['for items that are paid at different times', effect('once', { items: [itemOf(), itemOf({ ends: IN_A_YEAR })] })],
    ['for a customer who is charged in another currency', effect('once', { presentment: 'USD' })],
    ['for one whose payments are paused', effect('once', { pause: { until: null } })],
    [
      'beside a discount of some of the items',
      effect('once', {
        items: [itemOf(), itemOf({ price: priceOf({ product: 'prod_more' }) })],
        ...loyal({ products: ['prod_pro'] }),
      }),
    ],
    ['while the discount of the customer is not known', effect('once', { mayInherit: true })],
    ['beside a discount that is not known', effect('once', loyal(null))],
    ['beside a discount that ends before the offer', effect('euros', loyal({ duration: 'once' }))],
    ['beside one of some months', effect('euros', loyal({ duration: 'repeating' }, IN_A_YEAR))],
    [
      'for another plan beside a discount of the next payment',
      effect('plan', loyal({ duration: 'once' }), { price: namedPrice() }),
    ],
    [
      'for another plan beside a discount of some products',
      effect('plan', loyal({ products: ['prod_pro'] }), { price: namedPrice() }),
    ],
    ['for a plan by usage', effect('plan', {}, { price: namedPrice({ isMetered: true }) })],
    ['for a plan in another currency', effect('plan', {}, { price: namedPrice({ currency: 'USD' }) })],
    ['with a coupon that is not known', effect('coupon', {}, { coupon: 'unknown' })],
    [
      'with a coupon in another currency',
      effect('coupon', {}, { coupon: couponOf({ percent: null, amount: 1, currency: 'USD' }) }),
    ],
  ])('is not said %s', (_, [now, then]) => expect([now, then]).toEqual([null, null]));
});

describe('A pause', () => {
  const resumption = (months: number, billed: Partial<Billed> = {}) => {
    const pause = { offer_type: 'pause_subscription' as const, terms: { months } };
    const decided = changeFor(taskOf('apply', pause), billedOf(billed), {});
    return 'change' in decided && decided.change.kind === 'pause' && decided.change.until.toISOString().slice(0, 10);
  };
  const period = (anchor: string, ends: string) => ({ anchor: at(anchor), items: [itemOf({ ends: at(ends) })] });

  it.each<[string, string | false, string]>([
    ['a day after as many invoices as it has months', resumption(1), '2026-03-16'],
    ['of 3 months: a day after the third', resumption(3), '2026-05-16'],
    ['behind the invoice of 31 March', resumption(2, period('2026-01-31', '2026-02-28')), '2026-04-01'],
    ['in the next year', resumption(3, period('2025-05-30', '2026-12-30')), '2027-03-01'],
    [
      'in a trial: a day after the first invoice',
      resumption(1, { status: 'trialing', ...period('2026-04-20', '2026-04-20') }),
      '2026-04-21',
    ],
  ])('ends %s', (_, said, day) => expect(said).toBe(day));
});

describe('Another plan', () => {
  const from = (billed: Partial<Billed>, proration: Task['proration']) => {
    const decided = changeFor(taskOf('apply', OFFERS.plan, { proration }), billedOf(billed), NAMED);
    return 'change' in decided && [decided.effect.from, decided.effect.price_now, decided.effect.price_then];
  };

  it.each<[string, unknown, unknown]>([
    ['at once', from({}, 'none'), [null, 3000, 1350]],
    ['at the end of the period', from({}, 'at_period_end'), [END.toISOString(), 3000, 1350]],
    [
      'at the end of the period, in place of the one that was agreed before',
      from(planned(), 'at_period_end'),
      [END.toISOString(), 1800, 1350],
    ],
  ])('comes %s', (_, said, expected) => expect(said).toEqual(expected));
});

describe('To cancel', () => {
  const cancel = (billed: Partial<Billed> = {}, more: Partial<Task> = {}) =>
    changeFor(taskOf('cancel', null, more), billedOf(billed), {});
  const saying = (billed: Partial<Billed>) =>
    leaving(billedOf(billed), { ...AT_ONCE, unpaid_on_cancel: 'leave', missing_permissions: [] }, NOW);

  it('sets the end of the period', () => {
    const comment = 'Too dear';
    expect(cancel({}, { comment })).toEqual({
      change: { kind: 'end', isNow: false, voids: false, comment },
      effect: { kind: 'end', from: null, until: END.toISOString(), currency: 'EUR', price_now: null, price_then: null },
      detail: null,
    });
    expect(saying({})).toBe('The subscription ends on 15 March 2026.');
  });

  it.each<[string, Partial<Billed>, RegExp]>([
    ['that is tried further', { status: 'unpaid', isRetried: true }, /goes on trying to collect its open invoice/],
    ['that is not tried any more', { status: 'unpaid' }, /stays open, and Stripe does not try/],
  ])('says what becomes of an open invoice %s', (_, billed, words) => {
    expect(cancel(billed)).toMatchObject({ change: { isNow: false }, detail: expect.stringMatching(words) });
    expect(saying(billed)).toMatch(words);
  });

  it('voids what is open, if the workspace says so, and nothing of a subscription that is paid', () => {
    const voiding = { unpaid_on_cancel: 'void' as const };
    const detail = 'Its open invoices are voided.';
    expect(cancel({ status: 'unpaid' }, voiding)).toMatchObject({ change: { voids: true }, detail });
    const said = (missing_permissions: Permission[]) =>
      leaving(billedOf({ status: 'unpaid' }), { ...AT_ONCE, ...voiding, missing_permissions }, NOW);
    expect(said(['invoices_write'])).toBe('The key may not void Invoices. A person would have to cancel it.');
    expect(said([])).toBe(`The subscription ends on 15 March 2026. ${detail}`);
    expect(cancel({}, voiding)).toMatchObject({ change: { voids: false }, detail: null });
  });

  const PAST = [itemOf({ ends: at('2026-02-28') })];
  it.each<[string, Partial<Billed>]>([
    ['whose first payment was never made', { status: 'incomplete' }],
    ['that stands still without a period that is paid', { status: 'paused', items: PAST }],
  ])('ends one at once %s', (_, billed) => {
    expect(cancel(billed)).toMatchObject({
      change: { kind: 'end', isNow: true },
      effect: { until: NOW.toISOString() },
    });
    expect(saying(billed)).toBe('The subscription ends at once.');
  });

  it.each<[string, Partial<Billed>, string]>([
    ['that ends with its period', ending(END), 'It already ends on 2026-03-15.'],
    ['that ends before', ending(at('2026-03-03')), 'It already ends on 2026-03-03.'],
    ['that reduces no further payment', { status: 'over' }, 'It was already canceled.'],
  ])('changes nothing of one %s', (_, billed, detail) => {
    expect(cancel(billed)).toEqual({ state: 'applied', detail });
  });

  it.each<[string, Partial<Billed>, RegExp]>([
    ['with a later end', ending(IN_A_YEAR), /later than its period/],
    ['with a schedule', { schedule: THEIRS }, /schedule/],
    ['that was paused within a period that is paid', { status: 'paused' }, /within a period that is paid/],
    [
      'with items that are paid on different days',
      { items: [itemOf(), itemOf({ ends: IN_A_YEAR })] },
      /different days/,
    ],
  ])('leaves one to a person %s, and names no day', (_, billed, why) => {
    expect(cancel(billed)).toEqual({ state: 'manual', detail: expect.stringMatching(why) });
    expect(saying(billed)).toMatch(/A person would have to cancel it\.$/);
  });
});

describe('To keep', () => {
  const keep = (billed: Partial<Billed> = {}) => changeFor(taskOf('keep', null), billedOf(billed), {});

  it('is nothing to do where nothing ends, and a plan that was agreed still changes', () => {
    expect(keep()).toEqual({ state: 'none' });
    expect(keep(planned())).toEqual({ state: 'none' });
  });

  it('takes back an end that we have set, and says so', () => {
    expect(keep(ending(END, true))).toMatchObject({
      change: { kind: 'stay' },
      effect: { kind: 'stay', until: null },
      detail: expect.stringMatching(/taken back/),
    });
  });

  it.each<[string, Partial<Billed>, RegExp]>([
    ['that somebody else has set', ending(END), /about to end/],
    ['that we have set, under a schedule', { ...ending(END, true), schedule: THEIRS }, /schedule/],
    ['that has come', { status: 'over' }, /is canceled/],
  ])('leaves an end to a person %s', (_, billed, why) => {
    expect(keep(billed)).toEqual({ state: 'manual', detail: expect.stringMatching(why) });
  });
});

describe('What came of a change', () => {
  const results = (kind: Kind, billed: Partial<Billed>, payment: number | null = null) =>
    mismatchOf(effectOf(OFFERS[kind], billedOf(), NAMED, AT_ONCE), billedOf(billed), payment);
  const ended = (end: Billed['end']) => {
    const decided = changeFor(taskOf('cancel', null), billedOf(), {});
    return 'change' in decided ? mismatchOf(decided.effect, billedOf({ end }), null) : '';
  };

  it.each<[string, string | undefined]>([
    ['the next payment', results('euros', {}, 2500)],
    ['the next payment, of which each item was rounded', results('euros', {}, 2499)],
    ['a payment that the billing system does not say', results('euros', {})],
    ['the next payment of another plan', results('plan', {}, 1350)],
    ['the end of a pause', results('pause', { pause: { until: at('2026-04-16') } })],
    ['a pause that ends shortly before the payment', results('pause', { pause: { until: at('2026-05-14') } })],
    ['the day of the next payment', results('extension', { items: [itemOf({ ends: at('2026-03-29') })] })],
    ['the end', ended({ at: END, isOurs: true })],
  ])('is as expected: %s', (_, said) => expect(said).toBeUndefined());

  it.each<[string, string | undefined, RegExp]>([
    ['another payment', results('euros', {}, 3000), /next payment would be €30, and €25 was expected/],
    ['no pause', results('pause', {}), /no pause that ends, and 2026-05-15 was expected/],
    ['a pause without an end', results('pause', { pause: { until: null } }), /no pause that ends/],
    ['a shorter pause', results('pause', { pause: { until: at('2026-03-16') } }), /would go on on 2026-04-15/],
    ['the same day', results('extension', {}), /would be on 2026-03-15, and 2026-03-29 was expected/],
    ['a later end', ended({ at: IN_A_YEAR, isOurs: false }), /would end on 2027-03-15, and an end on 2026-03-15 was/],
    ['no end', ended(null), /would not end/],
  ])('is told with what was expected: %s', (_, said, words) => expect(said).toMatch(words));
});
