import type Stripe from 'stripe';
import { type Change, type Fields, type Known, problem, type Result, type StripeDouble } from './stripe-double';

type Params = Stripe.SubscriptionScheduleUpdateParams.Phase;
type Item = Params['items'][number];
type Tax = NonNullable<Params['automatic_tax']>;
/** All that may be sent, by the typings. */
const PHASE: Record<keyof Params, true> = {
  add_invoice_items: true,
  application_fee_percent: true,
  automatic_tax: true,
  billing_cycle_anchor: true,
  billing_thresholds: true,
  collection_method: true,
  currency: true,
  default_payment_method: true,
  default_tax_rates: true,
  description: true,
  discounts: true,
  duration: true,
  end_date: true,
  invoice_settings: true,
  items: true,
  metadata: true,
  on_behalf_of: true,
  proration_behavior: true,
  start_date: true,
  transfer_data: true,
  trial: true,
  trial_end: true,
};
const ITEM: Record<keyof Item, true> = {
  billing_thresholds: true,
  discounts: true,
  metadata: true,
  plan: true,
  price: true,
  price_data: true,
  quantity: true,
  tax_rates: true,
};
const TAX: Record<keyof Tax, true> = { enabled: true, liability: true };

interface ItemFields {
  price: string;
  quantity?: string;
  tax_rates?: string[];
}
export interface PhaseFields {
  items: ItemFields[];
  start_date?: string;
  end_date?: string;
  duration?: { interval: string; interval_count?: string };
  discounts?: { discount?: string; coupon?: string }[];
  default_tax_rates?: string[];
  automatic_tax?: object;
  metadata?: Record<string, string>;
}

type Schedule = Pick<
  Stripe.SubscriptionSchedule,
  'id' | 'object' | 'status' | 'metadata' | 'end_behavior' | 'current_phase'
> & { subscription: string; phases: object[] };

/** The subscription schedules of a `StripeDouble`. */
export class SchedulesDouble {
  private readonly schedules = new Map<string, Schedule>();
  private readonly next = new Map<string, PhaseFields>();

  constructor(private readonly stripe: StripeDouble) {}

  has(id: string): boolean {
    return this.schedules.has(id);
  }

  /** One that a test has only named is somebody else's. */
  get(id: string): Schedule | undefined {
    const subscription = [...this.stripe.subscriptions.values()].find(({ schedule }) => schedule === id);
    return this.schedules.get(id) ?? (subscription && theirs(id, subscription.id));
  }

  /** The price of the second phase. */
  nextPrice(id: string) {
    const phase = this.next.get(id);
    return phase && this.stripe.price(phase.items[0].price);
  }

  change({ path }: Change, fields: Fields): Result {
    const [, , , id, verb] = path.split('/');
    if (id === undefined) return this.create(fields);
    const schedule = this.schedules.get(id)!;
    if (schedule.status !== 'active')
      return problem(400, `You cannot change a schedule that is ${schedule.status}.`, 'invalid_request_error');
    return verb === 'release' ? this.release(schedule) : this.update(schedule, fields);
  }

  /** The period is over: the second phase begins. */
  begin(subscriptionId: string): void {
    const subscription = this.stripe.subscriptions.get(subscriptionId)!;
    const phase = this.next.get(subscription.schedule as string)!;
    this.apply(subscription, phase);
    const [item] = subscription.items.data;
    const { current_period_end: ended } = item;
    Object.assign(item, { current_period_start: ended, current_period_end: ended + 30 * 24 * 60 * 60 });
    // "Metadata on a schedule's phase will update the underlying subscription's `metadata` when the phase is entered."
    Object.assign(subscription.metadata, phase.metadata);
  }

  /** "A subscription schedule will be created using the subscription's item(s)." */
  private create({ from_subscription: id = '', ...others }: Fields): Result {
    // "When using this parameter, other parameters (such as phase values) cannot be set."
    if (Object.keys(others).length > 0)
      return problem(400, 'You cannot set other parameters with `from_subscription`.');
    const subscription = this.stripe.subscriptions.get(id);
    if (!subscription) return problem(404, `No such subscription: '${id}'`, 'resource_missing');
    if (subscription.schedule || subscription.cancel_at_period_end)
      return problem(400, 'You cannot migrate a subscription that is already attached to a schedule, or set to end.');
    const [{ price, quantity, current_period_start, current_period_end }] = subscription.items.data;
    const span = { start_date: current_period_start, end_date: current_period_end };
    const item = {
      price: price.id,
      plan: price.id,
      quantity,
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      tax_rates: [],
    };
    const discounts = subscription.discounts.map((one) => ({ coupon: null, discount: one.id, promotion_code: null }));
    const phase = {
      ...span,
      add_invoice_items: [],
      application_fee_percent: null,
      automatic_tax: { enabled: true, liability: null, disabled_reason: null },
      billing_cycle_anchor: null,
      currency: subscription.currency,
      default_tax_rates: subscription.default_tax_rates,
      discounts,
      invoice_settings: null,
      items: [item],
      metadata: { ...subscription.metadata },
      proration_behavior: 'create_prorations',
      trial_end: subscription.trial_end,
    };
    const schedule: Schedule = {
      id: `sub_sched_made_${this.schedules.size + 1}`,
      object: 'subscription_schedule',
      status: 'active',
      subscription: id,
      end_behavior: 'release',
      metadata: {},
      current_phase: span,
      phases: [phase],
    };
    this.schedules.set(schedule.id, schedule);
    subscription.schedule = schedule.id;
    return { status: 200, body: schedule };
  }

  private update(schedule: Schedule, { phases = [], metadata, end_behavior }: Fields): Result {
    const [current, next, ...others] = phases;
    if (!current || others.length > 0) return problem(400, 'The schedule needs its current phase.');
    for (const phase of [current, next ?? current]) {
      const unknown = unknownIn(phase);
      if (unknown) return problem(400, `Received unknown parameter: phases[${unknown}]`, 'parameter_unknown');
    }
    if (Number(current.start_date) !== schedule.current_phase!.start_date)
      return problem(400, 'You can not modify the start date of the current phase.');
    if (next && !next.duration && !next.end_date) return problem(400, 'The last phase needs an end.');
    // What the current phase has from now on, the subscription has, too.
    this.apply(this.stripe.subscriptions.get(schedule.subscription)!, current);
    if (next) this.next.set(schedule.id, next);
    const second = next && { start_date: schedule.current_phase!.end_date, items: next.items };
    Object.assign(schedule, { phases: [schedule.phases[0], second].filter(Boolean), end_behavior });
    Object.assign(schedule.metadata!, metadata);
    return { status: 200, body: schedule };
  }

  private release(schedule: Schedule): Result {
    schedule.status = 'released';
    this.stripe.subscriptions.get(schedule.subscription)!.schedule = null;
    return { status: 200, body: schedule };
  }

  private apply(subscription: Known, { items: [sent], discounts, default_tax_rates }: PhaseFields): void {
    const [item] = subscription.items.data;
    Object.assign(item, { price: this.stripe.price(sent.price), quantity: Number(sent.quantity ?? 1) });
    const kept = (discounts ?? []).map(({ discount }) => subscription.discounts.find(({ id }) => id === discount)!);
    Object.assign(subscription, {
      discounts: kept,
      default_tax_rates: (default_tax_rates ?? []).map((id) => ({ id, object: 'tax_rate' })),
    });
  }
}

const theirs = (id: string, subscription: string): Schedule => ({
  id,
  object: 'subscription_schedule',
  status: 'active',
  subscription,
  end_behavior: 'release',
  metadata: {},
  current_phase: null,
  phases: [{ items: [{ price: 'price_pro' }] }, { items: [{ price: 'price_theirs' }] }],
});

function unknownIn({ items, ...phase }: PhaseFields): string | undefined {
  const within = (names: object, fields: object = {}) =>
    Object.keys(fields).find((name) => !Object.hasOwn(names, name));
  return within(PHASE, phase) ?? within(ITEM, items[0]) ?? within(TAX, phase.automatic_tax);
}
