import { monthsIn } from '../../platform/common/duration';
import type { BillingConnection, Proration } from '../../billing-jobs/billing-connection.entity';
import type { Billed, Named } from './billed';
import { byHand, bySomebody, LACKING } from './by-hand';
import { lackingToWrite } from '../../billing-jobs/carried-out-by';
import { cancellationOf, isVoiding, openInvoice } from './changes';
import type { Effect } from '../../sessions/effect';
import { effectSentence } from '../../sessions/effect-sentence';
import { effectOf } from './effects';
import { type FoundObstacle, obstacleTo } from './obstacles';
import { type AgreedOffer, agreedOffers, type NamedOffer } from './task';

/** When another price counts, by how the connection prorates. */
const AT_ONCE: Record<Proration, string> = {
  create_prorations: 'at once, and the next invoice has the difference for the rest of the period',
  always_invoice: 'at once, and the difference for the rest of the period is billed at once',
  none: 'at once, without a difference for the rest of the period',
  at_period_end: 'from the next payment on',
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
  if (found) return whatIsInTheWay(found, offer, proration);
  const changes = agreed.map((one) =>
    sentence(effectOf(one, billed, named, { now, proration }), one, billed, proration),
  );
  const chosen = changes.map((text, index) => `With ${monthsIn(agreed[index].terms.months!, 'en')}: ${text}`);
  return { is_shown: true, text: (agreed.length > 1 ? chosen : changes).join(' ') };
}

function whatIsInTheWay({ obstacle, detail }: FoundObstacle, offer: NamedOffer, proration: Proration): Foreseen {
  const why = firstSentence(detail);
  return obstacle
    ? { is_shown: false, text: `Customers don’t see this offer. ${why}` }
    : { is_shown: true, text: `${why} ${bySomebody(byHand('apply', offer, proration))}` };
}

/** What leaving would do. */
export function leaving(
  billed: Billed,
  connection: Pick<BillingConnection, 'unpaid_on_cancel' | 'missing_permissions' | 'proration'>,
  now: Date,
): string {
  const decided = cancellationOf({ now, unpaid_on_cancel: connection.unpaid_on_cancel }, billed);
  if ('change' in decided) {
    const { change, effect } = decided;
    const lacking = lackingToWrite(null, connection, isVoiding(change));
    if (lacking) return `${LACKING[lacking]} A person would have to cancel it.`;
    if (change.kind === 'end' && change.isNow) return 'The subscription ends at once.';
    const open = openInvoice(billed, isVoiding(change));
    return `${effectSentence(effect)}${open ? ` ${open}` : ''}`;
  }
  if (decided.state === 'none') return '';
  const why = firstSentence(decided.detail ?? '');
  return decided.state === 'manual' ? `${why} A person would have to cancel it.` : why;
}

/** What an offer would do, with what the subscription and the terms say besides the effect. */
function sentence(effect: Effect, { terms }: AgreedOffer, { discounts }: Billed, proration: Proration): string {
  // A discount may end before the payment that is put off.
  const payment = discounts.length === 0 ? (effect.price_now ?? undefined) : undefined;
  const unbilled = payment === undefined ? undefined : payment * (terms.months ?? 0);
  return effectSentence(effect, { payment, unbilled, atOnce: AT_ONCE[proration], price: terms.price });
}

/** Why, without what to do. */
const firstSentence = (detail: string): string => detail.split(/(?<=\.) /)[0];
