import { currencyOf } from '../../platform/api/fields/money';
import { monthsAfter } from '../../platform/common/days';
import type { Subscription } from '../../runtime/start/subscription';
import { type Billed, type BilledPrice, daysAfter } from './billed';

export type MadeUp = Required<Pick<Subscription, 'amount' | 'currency' | 'interval'>>;

const INTERVALS: Record<MadeUp['interval'], NonNullable<BilledPrice['interval']>> = {
  week: { unit: 'week', count: 1 },
  month: { unit: 'month', count: 1 },
  quarter: { unit: 'month', count: 3 },
  year: { unit: 'year', count: 1 },
};

/** A subscription of one item, which was paid now for the first time. */
export function madeUp({ amount, currency: code, interval: name }: MadeUp, now: Date, system: string): Billed {
  const interval = INTERVALS[name];
  const currency = currencyOf(code);
  const ends =
    interval.unit === 'week'
      ? daysAfter(now, 7)
      : monthsAfter(now, interval.count * (interval.unit === 'year' ? 12 : 1));
  const price = { id: '', amount, currency, interval, product: '', isMetered: false };
  return {
    id: '',
    system,
    owner: { billing_id: '', id: null },
    status: 'active',
    isRetried: false,
    currency,
    presentment: null,
    clock: null,
    items: [{ id: '', price, quantity: 1, ends, isDiscounted: false }],
    anchor: now,
    discounts: [],
    mayInherit: false,
    since: now,
    country: null,
    end: null,
    pause: null,
    schedule: null,
    planned: null,
    changedBy: null,
  };
}
