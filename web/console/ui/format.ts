import { amountText } from '../../../src/platform/common/minor-units';

const NUMBER = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** 1,234 */
export function count(value: number): string {
  return NUMBER.format(value);
}

/** 1,234 up to four digits, then 1.2M: where there is little room. */
export function compact(value: number): string {
  return value < 10_000 ? count(value) : COMPACT.format(value);
}

/** An amount of money, in whatever currency: 1,234.50 */
export function amount(value: number): string {
  return AMOUNT.format(value);
}

/**
 * An amount in the smallest unit of its currency: €1,234.50. Without a currency it is an estimate, in whatever unit:
 * 1,234.50
 */
export function money(value: number, currency: string | null): string {
  return currency === null ? amount(value) : amountText(value, currency);
}

/** A share of 1: 0.421 is 42.1%, and null, the share of nothing, is –. */
export function percent(value: number | null): string {
  return value === null ? '–' : PERCENT.format(value);
}

/** 1 session, 2 sessions */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** How often something is paid: a month, every 3 months */
export function each(number: number, interval: string): string {
  return number === 1 ? `a ${interval}` : `every ${counted(number, interval)}`;
}

/** A day of UTC, such as 2026-11-21: Nov 21, 2026 */
export function day(value: string): string {
  return DAY.format(new Date(value));
}

/** The month of a day of UTC: November 2026 */
export function month(value: string): string {
  return MONTH.format(new Date(value));
}

/** The same in short: Nov 2026 */
export function shortMonth(value: string): string {
  return SHORT_MONTH.format(new Date(value));
}

/** A time, in the zone of whoever looks: Nov 21, 2026, 9:30 AM */
export function time(value: string): string {
  return TIME.format(new Date(value));
}
