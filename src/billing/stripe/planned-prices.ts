import type Stripe from 'stripe';
import type { Billed } from '../model/billed';
import { BillingFailure } from '../model/provider';
import { idOf, priceOf } from './stripe-billed';
import { allowed, asked, known } from './stripe-failures';

/**
 * Names, in the metadata of a subscription, the change of its price that the customer has agreed to for the next
 * period, while no schedule makes it; in those of a schedule, that it is ours.
 */
export const PRICE_MARKER = 'retention_flow_price';
const TO = '>';

/** A change of a price as it is marked. It counts as long as the subscription has the first one. */
export const changeOf = (from: string, to: string): string => `${from}${TO}${to}`;

type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;
type Agreed = Pick<Billed, 'schedule' | 'planned'>;

/**
 * Prices that subscriptions change to at the end of their period: schedules of ours with two phases. A schedule refuses
 * an end of the subscription, and its second phase undoes changes, so it is released before each change, and made anew
 * after it.
 */
export class PlannedPrices {
  constructor(private readonly stripe: Stripe) {}

  /** What a subscription changes to. A schedule that the key may not read is not ours. */
  async of({ schedule, metadata, items }: Stripe.Subscription): Promise<Agreed> {
    const found = schedule === null ? null : await this.scheduleOf(idOf(schedule), metadata);
    const isArranged = metadata[PRICE_MARKER] === undefined;
    const [from, to] = (metadata[PRICE_MARKER] ?? found?.change ?? '').split(TO);
    // Somebody may have changed the price since.
    const isWaiting = to !== undefined && items.data.length === 1 && items.data[0].price.id === from;
    return {
      schedule: found && { id: found.id, isOurs: found.isOurs },
      planned: isWaiting ? { price: await this.priceOf(to, items.data[0].price), isArranged } : null,
    };
  }

  /** Stops the schedule. The subscription says what it was to change to, from before that on. */
  async release({ id, schedule, planned, items }: Billed): Promise<void> {
    if (planned?.isArranged) await this.remember(id, changeOf(items[0].price.id, planned.price.id));
    await orMissing(this.stripe.subscriptionSchedules.release(schedule!.id));
  }

  /** Has the price change at the end of the period. */
  async arrange(subscription: string, price: string): Promise<void> {
    const { subscriptions, subscriptionSchedules } = this.stripe;
    const { schedule, metadata, items } = await asked(subscriptions.retrieve(subscription));
    const found = schedule && (await this.scheduleOf(idOf(schedule), metadata));
    if (found && !found.isOurs) throw new BillingFailure('rejected', 'A schedule of somebody else changes it.');
    const made = await (found
      ? asked(subscriptionSchedules.retrieve(found.id))
      : orMissing(subscriptionSchedules.create({ from_subscription: subscription })));
    const change = changeOf(items.data[0].price.id, price);
    const changed = { ...RELEASED, metadata: { [PRICE_MARKER]: change }, phases: phasesFor(made, price) };
    await orMissing(subscriptionSchedules.update(made.id, changed));
    await this.remember(subscription, '');
  }

  private async remember(subscription: string, change: string): Promise<void> {
    await asked(this.stripe.subscriptions.update(subscription, { metadata: { [PRICE_MARKER]: change } }));
  }

  private async scheduleOf(
    id: string,
    metadata: Stripe.Metadata,
  ): Promise<{ id: string; isOurs: boolean; change?: string }> {
    const found = await allowed(this.stripe.subscriptionSchedules.retrieve(id));
    if (found === 'forbidden' || found.end_behavior !== 'release') return { id, isOurs: false };
    const change = found.metadata?.[PRICE_MARKER];
    const [, next, ...others] = found.phases;
    // The first phase alone changes nothing: we made it, and were cut off.
    if (!next) return { id, isOurs: metadata[PRICE_MARKER] !== undefined };
    // Somebody may have changed it since.
    const isOurs =
      others.length === 0 && next.items.length === 1 && idOf(next.items[0].price) === change?.split(TO).at(1);
    return { id, isOurs, ...(isOurs && { change }) };
  }

  /** Without its amount, where Stripe doesn't say it. */
  private async priceOf(id: string, now: Stripe.Price): Promise<Billed['items'][number]['price']> {
    const found = await allowed(known(this.stripe.prices.retrieve(id)));
    return found === 'forbidden' || found === 'unknown' ? { ...priceOf(now), id, amount: null } : priceOf(found);
  }
}

/** "`release` will end the subscription schedule and keep the underlying subscription running." */
const RELEASED = { end_behavior: 'release', proration_behavior: 'none' } as const;

/** The current phase as it is, and a day of the other price. Then the schedule is released, and the price stays. */
export function phasesFor(
  { phases, current_phase }: Pick<Stripe.SubscriptionSchedule, 'phases' | 'current_phase'>,
  price: string,
): PhaseParams[] {
  const found = phases.find(({ start_date }) => start_date === current_phase?.start_date) ?? phases[0];
  const current = asSent(found) as PhaseParams;
  const next: PhaseParams = { ...current, duration: ONE_DAY, proration_behavior: 'none' };
  next.items = current.items.map((item) => ({ ...item, price }));
  for (const ofCurrent of ['start_date', 'end_date', 'trial', 'trial_end'] as const) delete next[ofCurrent];
  return [current, next];
}

const ONE_DAY = { interval: 'day', interval_count: 1 } as const;
/**
 * Fields that are not sent back. Stripe refuses `plan` and `disabled_reason`, would add the invoice items a second
 * time, and would write the metadata of a phase into the subscription.
 */
const UNSENT = ['plan', 'disabled_reason', 'add_invoice_items', 'metadata'];

/** A part of a phase in the form of a request: without what is null, and with ids in place of objects. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (typeof value !== 'object' || value === null) return value;
  if ('id' in value) return value.id;
  const fields = Object.entries(value).filter(([name, one]) => one !== null && !UNSENT.includes(name));
  return Object.fromEntries(fields.map(([name, one]) => [name, asSent(one)]));
}

/** The answer of Stripe about schedules, which the key may not be allowed to make. */
async function orMissing<T>(answer: PromiseLike<T>): Promise<T> {
  const given = await allowed(answer);
  if (given === 'forbidden') throw new BillingFailure('forbidden', '', false, undefined, 'schedules_write');
  return given;
}
