import { SUBSCRIPTION_STATUSES } from '../../conditions/facts';
import { DAY_MS, monthsAfter } from '../../platform/common/days';

/** A subscription as a billing system has it. All rules, prices and sentences read this, and nothing else. */
export interface Billed {
  id: string;
  /** The name of the billing system, for sentences. */
  system: string;
  /** The customer: the id in the billing system, and the workspace's own id, if the subscription has it. */
  owner: { billing_id: string; id: string | null };
  /**
   * `unpaid`: an invoice is open. `incomplete`: its first payment was never made. `paused`: it stands still, such
   * as after a trial that ended without a way to pay. `over`: it has ended, or never began.
   */
  status: (typeof SUBSCRIPTION_STATUSES)[number];
  /** Whether the billing system still tries to collect what is open. */
  isRetried: boolean;
  /** ISO 4217, in capital letters. */
  currency: string;
  /** The currency that the customer is charged in, if it is another one: what they pay is not known then. */
  presentment: string | null;
  /** The time that it goes by, if that is not the real one: of a test. */
  clock: Date | null;
  items: BilledItem[];
  /** The day of the month on which it is paid. */
  anchor: Date;
  discounts: BilledDiscount[];
  /** Whether a discount of the customer's own counts, too, if there is one: it was not read. */
  mayInherit: boolean;
  /** When it began. */
  since: Date;
  /** The customer's (ISO 3166-1); null if it is not known, or was not read. */
  country: string | null;
  /** When it is set to end; null if it goes on. */
  end: { at: Date; isOurs: boolean } | null;
  /** Since payments pause; `until` is null if nobody has set an end. */
  pause: { until: Date | null } | null;
  /** What changes it by itself later. Ours changes the price as `planned` says. */
  schedule: { id: string; isOurs: boolean } | null;
  /**
   * The price of the next period, to which the customer has agreed. `isArranged`: the billing system will change it.
   * Otherwise the subscription is set to end before, or a change was cut off.
   */
  planned: { price: BilledPrice; isArranged: boolean } | null;
  /** The session whose decision changed it last; null if none did. */
  changedBy: string | null;
}

export interface BilledItem {
  id: string;
  price: BilledPrice;
  /** Null for what is paid by usage. */
  quantity: number | null;
  /** The end of the period that is paid. */
  ends: Date;
  /** Whether it has discounts that the rest of the subscription has not. */
  isDiscounted: boolean;
}

export interface BilledPrice {
  id: string;
  /** Of one piece, in the smallest unit of the currency; null if it is not one fixed amount. */
  amount: number | null;
  /** In capital letters. */
  currency: string;
  /** How often it is paid; null if once. */
  interval: { unit: 'day' | 'week' | 'month' | 'year'; count: number } | null;
  product: string;
  isMetered: boolean;
}

/** A price that a plan may change to. */
export interface NamedPrice extends BilledPrice {
  isActive: boolean;
  /** In which it can be paid, its own among them. */
  currencies: string[];
}

/** What a discount takes off. */
export interface Reduction {
  percent: number | null;
  /** In the smallest unit of `currency`; null with `percent`. */
  amount: number | null;
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  /** With `repeating`. */
  months: number | null;
  /** The products that it is for; null: all. */
  products: string[] | null;
}

/** A discount that is kept in the billing system. */
export interface Coupon extends Reduction {
  isValid: boolean;
  /** In which its amount is known, its own among them. */
  currencies: string[];
}

/** A discount that a subscription has. */
export interface BilledDiscount {
  id: string;
  coupon: string | null;
  /** Null if it is not known. */
  off: Reduction | null;
  /** Null: it has no end, or ends with the next invoice. */
  ends: Date | null;
  /** Whether a customer accepted it here. */
  isOurs: boolean;
}

/** What an offer names in the billing system. Neither is set where it names nothing. */
export interface Named {
  price?: NamedPrice | 'unknown';
  coupon?: Coupon | 'unknown';
}

/** A subscription with the price of its next payment. */
export function asPaidNext(billed: Billed): Billed {
  const { planned, items } = billed;
  return planned ? { ...billed, items: items.map((item) => ({ ...item, price: planned.price })) } : billed;
}

/** Whether a schedule that is not ours changes it. */
export const isScheduled = ({ schedule }: Pick<Billed, 'schedule'>): boolean => schedule !== null && !schedule.isOurs;

/** Whether all items are paid on one day, so that there is one end of the period. */
export function endsTogether({ items }: Pick<Billed, 'items'>): boolean {
  return items.every(({ ends }) => ends.getTime() === items[0].ends.getTime());
}

/** The end of the period that is paid: the latest, if there are several. */
export function nextPaymentOf({ items }: Billed): Date {
  return new Date(Math.max(...items.map(({ ends }) => ends.getTime())));
}

/** When the first of the items is paid again. */
export function firstEndOf({ items }: Billed): Date {
  return new Date(Math.min(...items.map(({ ends }) => ends.getTime())));
}

/**
 * The end of the current period, or of one some months later: on the day of the anchor, or the last one of a shorter
 * month. An invoice comes then.
 */
export function anchored(billed: Billed, months = 0): Date {
  const { anchor } = billed;
  const next = nextPaymentOf(billed);
  const since = (next.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + next.getUTCMonth() - anchor.getUTCMonth();
  return monthsAfter(anchor, since + months);
}

/** A first short period may lead to the anchor after a trial. */
export function endsOnAnchor(billed: Billed): boolean {
  return Math.abs(anchored(billed).getTime() - nextPaymentOf(billed).getTime()) < DAY_MS;
}

/** The payment that comes some periods after the next one. */
export function paymentAfter(periods: number, billed: Billed): Date {
  const { unit, count } = billed.items[0].price.interval ?? { unit: 'month', count: 1 };
  if (unit === 'month') return anchored(billed, periods * count);
  if (unit === 'year') return anchored(billed, 12 * periods * count);
  return daysAfter(nextPaymentOf(billed), periods * count * (unit === 'week' ? 7 : 1));
}

/** The first payment at a time or later. */
export function firstPaymentFrom(time: Date, billed: Billed): Date {
  let payment = nextPaymentOf(billed);
  for (let n = 1; payment < time; n++) payment = paymentAfter(n, billed);
  return payment;
}

/** The same time of day, some days later. */
export const daysAfter = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY_MS);

/** The interval of a price, such as `month`, or `3 months`. */
export function intervalText({ interval }: Pick<BilledPrice, 'interval'>): string {
  if (!interval) return 'time that it is bought';
  const { unit, count } = interval;
  return count === 1 ? unit : `${count} ${unit}s`;
}
