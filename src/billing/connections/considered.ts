import { isDiscount } from '../../offers/terms/types';
import type { Eligibility } from '../../sessions/eligibility';
import type { BillingConnection } from '../../billing-jobs/billing-connection.entity';
import { isLater, lackingToWrite } from '../../billing-jobs/carried-out-by';
import type { Billed, Named } from '../model/billed';
import { byHand, bySomebody, LACKING, lackingFor } from '../model/by-hand';
import { cancellationOf, type Change, isVoiding } from '../model/changes';
import { effectOf } from '../model/effects';
import { obstacleTo } from '../model/obstacles';
import { BillingFailure, orFailure, type Provider } from '../model/provider';
import { type Foreseen, foreseen } from '../model/sentences';
import { agreedOffers, type NamedOffer, type PlannedOffer } from '../model/task';

/** What is known of a subscription and an offer. */
export interface Considered {
  billed: Billed;
  named: Named;
  /** What the key may not read that the offer needs, in a sentence; undefined if nothing. */
  lacking?: string;
}

/** Reads what the rules about offers need, once for all of them. Each may throw a `BillingFailure`. */
export function consider(
  offers: PlannedOffer[],
  billed: Billed,
  provider: Provider,
  namedBy: Provider['named'],
): Promise<PromiseSettledResult<Considered>[]> {
  if (offers.length === 0) return Promise.resolve([]);
  const inherited = billed.mayInherit ? orFailure(provider.withCustomer(billed), 'forbidden') : Promise.resolve(billed);
  const considered = offers.map(async (offer): Promise<Considered> => {
    const [named, found] = await Promise.all([
      offer.terms.price === undefined ? namedBy(offer.terms) : orFailure(namedBy(offer.terms), 'forbidden'),
      // Without it, no price is said.
      inherited.catch((error: unknown) => (error instanceof BillingFailure ? billed : Promise.reject(error as Error))),
    ]);
    const isLacking = named === 'forbidden' || (found === 'forbidden' && isDiscount(offer.offer_type));
    return {
      billed: found === 'forbidden' ? billed : found,
      named: named === 'forbidden' ? {} : named,
      ...(isLacking && { lacking: lackingFor(offer).detail }),
    };
  });
  return Promise.allSettled(considered);
}

/** Whether an offer could be applied, and what it would do. */
export function eligibilityFor(
  offer: PlannedOffer,
  { billed, named, lacking }: Considered,
  { proration }: Pick<BillingConnection, 'proration'>,
  now: Date,
): Eligibility {
  const { terms } = offer;
  const agreed = agreedOffers(offer);
  const found = obstacleTo(agreed[0], billed, named, now);
  if (found?.obstacle) return { terms, obstacle: found.obstacle };
  if (found || lacking) return { terms, left_to_person: true };
  const effects = agreed.map((one) => effectOf(one, billed, named, { now, proration }));
  return { terms, effects, ...(isLater(offer, proration) && { is_later: true }) };
}

/** Cancelling has no terms. */
export const LEFT_TO_PERSON: Eligibility = { terms: {}, left_to_person: true };

/** Whether the subscription could be canceled, and when it would end. */
export function cancellationFor(billed: Billed, connection: BillingConnection, now: Date): Eligibility {
  const decided = cancellationOf({ now, unpaid_on_cancel: connection.unpaid_on_cancel }, billed);
  if ('change' in decided) {
    const lacks = lackingToWrite(null, connection, isVoiding(decided.change));
    if (lacks) return LEFT_TO_PERSON;
    return { terms: {}, ...(isSure(decided.change, billed) && { effects: [decided.effect] }) };
  }
  return decided.state === 'manual' ? LEFT_TO_PERSON : { terms: {} };
}

/** Whether a customer can use it until its end: what is unpaid may end before, and what is paused may be off. */
const isSure = (change: Change, { status, pause }: Billed): boolean =>
  change.kind === 'end' && !change.isNow && status !== 'unpaid' && pause === null;

/** What an offer would do, for the team. */
export function foreseenOf(
  offer: NamedOffer,
  { billed, named, lacking }: Considered,
  connection: BillingConnection,
  now: Date,
): Foreseen {
  const said = foreseen(offer, billed, named, connection.proration, now);
  const unwritten = lackingToWrite(offer, connection);
  const why = lacking ?? (unwritten && LACKING[unwritten]);
  if (!why || !said.is_shown) return said;
  return { is_shown: true, text: `${why} ${bySomebody(byHand('apply', offer, connection.proration))}` };
}

/** What was read; undefined if the billing system can't say now. */
export function valueOf(result: PromiseSettledResult<Considered>): Considered | undefined {
  if (result.status === 'fulfilled') return result.value;
  if (result.reason instanceof BillingFailure) return undefined;
  throw result.reason;
}
