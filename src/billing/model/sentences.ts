import { monthsIn } from '../../platform/common/duration';
import { amountText } from '../../platform/common/minor-units';
import { unknownValue } from '../../platform/text/unknown-value';
import type { Proration, UnpaidOnCancel } from '../../billing-jobs/billing-connection.entity';
import type { Billed, Named } from './billed';
import { byHand, bySomebody } from './by-hand';
import { cancellationOf, openInvoice } from './changes';
import type { Effect } from '../../sessions/effect';
import { effectOf } from './effects';
import { type FoundObstacle, obstacleTo } from './obstacles';
import { type AgreedOffer, agreedOffers, type NamedOffer } from './task';

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** When another price counts, by how the connection prorates. */
const AT_ONCE: Record<Proration, string> = {
  create_prorations: 'at once, and the next invoice has the difference for the rest of the period',
  always_invoice: 'at once, and the difference for the rest of the period is billed at once',
  none: 'at once, without a difference for the rest of the period',
};

/** What an offer would do, and whether customers would see it. */
export interface Foreseen {
  is_shown: boolean;
  text: string;
}

/** What an offer would do to a subscription, for the team. */
export function foreseen(offer: NamedOffer, billed: Billed, named: Named, proration: Proration, now: Date): Foreseen {
  const agreed = agreedOffers(offer);
  const found = obstacleTo(agreed[0], billed, named, now);
  if (found) return whatIsInTheWay(found, offer);
  const changes = agreed.map((one) => sentence(effectOf(one, billed, named, now), one, billed, proration));
  const chosen = changes.map((text, index) => `With ${monthsIn(agreed[index].terms.months!, 'en')}: ${text}`);
  return { is_shown: true, text: (agreed.length > 1 ? chosen : changes).join(' ') };
}

function whatIsInTheWay({ obstacle, detail }: FoundObstacle, offer: NamedOffer): Foreseen {
  const why = firstSentence(detail);
  return obstacle
    ? { is_shown: false, text: `Customers don’t see this offer. ${why}` }
    : { is_shown: true, text: `${why} ${bySomebody(byHand('apply', offer))}` };
}

/** What leaving would do. */
export function leaving(billed: Billed, unpaid_on_cancel: UnpaidOnCancel, now: Date): string {
  const decided = cancellationOf({ now, unpaid_on_cancel }, billed);
  if ('change' in decided) {
    const { change, effect } = decided;
    if (change.kind === 'end' && change.isNow) return 'The subscription ends at once.';
    const open = openInvoice(billed, change.kind === 'end' && change.voids);
    return `${endOn(effect)}${open ? ` ${open}` : ''}`;
  }
  if (decided.state === 'none') return '';
  const why = firstSentence(decided.detail ?? '');
  return decided.state === 'manual' ? `${why} A person would have to cancel it.` : why;
}

/** An effect in an English sentence. */
function sentence(effect: Effect, { terms }: AgreedOffer, billed: Billed, proration: Proration): string {
  const { kind, from, until, currency, price_now, price_then } = effect;
  const text = (amount: number) => amountText(amount, currency, true);
  const isKnown = price_now !== null && price_then !== null;
  // A discount may end before the payment that is put off.
  const isEven = isKnown && billed.discounts.length === 0;
  switch (kind) {
    case 'pause': {
      const pause = `Payments pause until ${dayOf(until!)}`;
      return isEven ? `${pause}; ${text(price_now * terms.months!)} is not billed.` : `${pause}.`;
    }
    case 'extension': {
      const payment = `The next payment${isEven ? `, ${text(price_now)},` : ''}`;
      return `${payment} comes on ${dayOf(until!)} in place of ${dayOf(from!)}.`;
    }
    case 'plan_change': {
      const when = from === null ? AT_ONCE[proration] : 'from the next payment on';
      if (!isKnown) return `The price changes to ${terms.price} ${when}.`;
      return `The price changes from ${text(price_now)} to ${text(price_then)} ${when}.`;
    }
    case 'discount': {
      if (!isKnown) return `The customer gets the discount. What they pay then can’t be said before.`;
      const time = until ? ` until ${dayOf(until)}` : ' from the next payment on';
      return `The customer pays ${text(price_then)} in place of ${text(price_now)}${time}.`;
    }
    case 'end':
      return endOn(effect);
    case 'stay':
      return 'The subscription goes on.';
    default:
      return unknownValue(kind);
  }
}

const endOn = ({ until }: Effect): string => `The subscription ends on ${dayOf(until!)}.`;
/** Why, without what to do. */
const firstSentence = (detail: string): string => detail.split(/(?<=\.) /)[0];
const dayOf = (time: string): string => DAY_TEXT.format(new Date(time));
