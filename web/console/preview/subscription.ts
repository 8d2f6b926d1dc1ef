import type { RetentionFlow } from '@retention-flow/client';
import { decimalsOf } from '../../../src/platform/common/minor-units';
import { each, money } from '../ui/format';

type Body = NonNullable<Parameters<RetentionFlow['flows']['preview']>[1]>;
export type Subscription = NonNullable<NonNullable<Body['customer']>['subscription']>;
type Listed = Awaited<ReturnType<RetentionFlow['billing']['subscriptions']>>['subscriptions'][number];

/** What somebody has chosen and typed. */
export interface Chosen {
  /** '' for none, `made_up`, `other` for one by its id, or the id of one that Stripe has. */
  choice: string;
  id: string;
  amount: string;
  currency: string;
  interval: string;
}

export const NONE: Chosen = { choice: '', id: '', amount: '29', currency: 'EUR', interval: 'month' };

export const INTERVAL_NAMES: [interval: NonNullable<Subscription['interval']>, name: string][] = [
  ['week', 'Week'],
  ['month', 'Month'],
  ['quarter', 'Quarter'],
  ['year', 'Year'],
];

/** The subscription that was chosen; undefined for none. */
export function subscriptionOf({ choice, id, amount, currency, interval }: Chosen): Subscription | undefined {
  if (choice === '') return undefined;
  if (choice === 'other') return { id: id.trim() };
  if (choice !== 'made_up') return { id: choice };
  const code = currency.trim().toUpperCase();
  const minor = Math.round(Number(amount) * 10 ** decimalsOf(code));
  return { amount: minor, currency: code, interval: interval as Subscription['interval'] };
}

/** What to choose from. `listed`: undefined if Stripe's subscriptions can't be read. */
export function choicesOf(listed: { subscriptions: Listed[]; has_more: boolean } | undefined): [string, string][] {
  const known = listed?.subscriptions.map((one): [string, string] => [one.id, nameOf(one)]) ?? [];
  return [
    ['', 'Nobody’s: without prices'],
    ['made_up', 'A made-up one'],
    ...known,
    ...(listed?.has_more ? [['other', 'Another one, by its id'] as [string, string]] : []),
  ];
}

/** Ada Lovelace: €29.00 a month */
function nameOf({ id, customer, status, amount, currency, interval, interval_count: number }: Listed): string {
  const price = amount === null ? 'no fixed price' : `${money(amount, currency)} ${each(number, interval)}`;
  return `${customer ?? id}: ${price}${status === 'active' ? '' : `, ${status.replaceAll('_', ' ')}`}`;
}
