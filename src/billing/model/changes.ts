import { dateOf } from '../../platform/common/days';
import { unknownValue } from '../../platform/text/unknown-value';
import type { AgreedTerms } from '../../offers/terms/types';
import type { Proration } from '../../billing-jobs/billing-connection.entity';
import { anchored, type Billed, daysAfter, endsTogether, type Named, nextPaymentOf, isScheduled } from './billed';
import type { Effect } from '../../sessions/effect';
import { effectOf, endingAt, extendedOf, staying } from './effects';
import { differentEnds, obstacleTo, scheduled } from './obstacles';
import type { Ending, Task } from './task';

/** What was decided, to be done by a billing system. All values are absolute: to do it twice is harmless. */
export type Change =
  | { kind: 'discount'; terms: AgreedTerms }
  /** Invoices until then fall away. */
  | { kind: 'pause'; until: Date }
  /** The next payment. */
  | { kind: 'extension'; until: Date }
  | { kind: 'plan_change'; price: string; proration: Proration }
  /** At the end of the period; `isNow` where none is paid. `voids`: open invoices are voided before. */
  | ({ kind: 'end'; isNow: boolean; voids: boolean } & Pick<Task, 'feedback' | 'comment'>)
  /** Only an end of ours is taken back. */
  | { kind: 'stay' };

/** A change that is to be made. */
export interface Decided {
  change: Change;
  effect: Effect;
  /** What a person reads who looks at it later. */
  detail: string | null;
}

/** Whether a change voids open invoices. */
export const isVoiding = (change: Change): boolean => change.kind === 'end' && change.voids;

/** The change of a subscription, or the reason for none. */
export function changeFor(task: Task, billed: Billed, named: Named): Decided | Ending {
  if (task.action === 'cancel') return cancellationOf(task, billed);
  if (task.action === 'keep') return stayOf(billed);
  const found = obstacleTo(task.offer!, billed, named, task.now);
  if (found) return manual(found.detail);
  const effect = effectOf(task.offer!, billed, named, task);
  return { change: offered(task, billed), effect, detail: billed.end ? TAKEN_BACK : null };
}

/** A billing system may stop collecting what is open when a subscription ends at once. */
const ENDED = 'It has ended at once. Open invoices of the customer may no longer be collected by themselves.';
const pausedWithin = ({ system }: Billed): string =>
  `The subscription was paused within a period that is paid. Decide in ${system} what becomes of the rest:`;
const TAKEN_BACK = 'The cancellation that was carried out before is taken back.';

/** The end of the period that is paid, unless the subscription ends already. */
export function cancellationOf(
  { now, unpaid_on_cancel, feedback, comment }: Pick<Task, 'now' | 'unpaid_on_cancel' | 'feedback' | 'comment'>,
  billed: Billed,
): Decided | Ending {
  const { status, end } = billed;
  if (status === 'over') return { state: 'applied', detail: 'It was already canceled.' };
  if (end && end.at <= nextPaymentOf(billed))
    return { state: 'applied', detail: `It already ends on ${dateOf(end.at)}.` };
  // A new end would overwrite it.
  if (end) return manual(`The subscription already ends on ${dateOf(end.at)}, later than its period.`);
  if (isScheduled(billed)) return manual(scheduled(billed));
  const isNow = status === 'incomplete' || (status === 'paused' && nextPaymentOf(billed) <= now);
  if (status === 'paused' && !isNow) return manual(pausedWithin(billed));
  if (!isNow && !endsTogether(billed)) return manual(differentEnds(billed));
  const voids = status === 'unpaid' && unpaid_on_cancel === 'void';
  return {
    change: { kind: 'end', isNow, voids, feedback, comment },
    effect: endingAt(isNow ? now : nextPaymentOf(billed), billed),
    detail: isNow ? ENDED : openInvoice(billed, voids),
  };
}

/** What becomes of an open invoice when the subscription ends; null if there is none. */
export function openInvoice({ system, status, isRetried }: Billed, voids: boolean): string | null {
  if (status !== 'unpaid') return null;
  if (voids) return 'Its open invoices are voided.';
  return isRetried
    ? `${system} goes on trying to collect its open invoice.`
    : `Its open invoice stays open, and ${system} does not try to collect it.`;
}

/** The customer stays without an offer. */
function stayOf(billed: Billed): Decided | Ending {
  const { system, status, end } = billed;
  if (status === 'over')
    return manual(`The customer stays, but the subscription is canceled. Make a new one in ${system}.`);
  if (!end) return { state: 'none' };
  if (!end.isOurs) {
    return manual(
      `The subscription is about to end, which this service did not set. Undo that in ${system}, once you know that the customer stays.`,
    );
  }
  if (isScheduled(billed)) return manual(scheduled(billed));
  return { change: { kind: 'stay' }, effect: staying(billed), detail: TAKEN_BACK };
}

/** The change that an offer makes. */
function offered({ offer, proration }: Task, billed: Billed): Change {
  const { offer_type, terms } = offer!;
  switch (offer_type) {
    case 'pause_subscription':
      // A day after as many invoices as the pause has months.
      return { kind: 'pause', until: daysAfter(anchored(billed, terms.months! - 1), 1) };
    case 'trial_extension':
      return { kind: 'extension', until: extendedOf(billed, terms.days!) };
    case 'plan_change':
      return { kind: 'plan_change', price: terms.price!, proration };
    case 'discount_percentage':
    case 'discount_fixed':
      return { kind: 'discount', terms };
    default:
      return unknownValue(offer_type);
  }
}

const manual = (detail: string): Ending => ({ state: 'manual', detail });
