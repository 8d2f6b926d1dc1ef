import { conditionsOf, factsAsked, faultsOfWhen } from '../conditions/conditions';
import type { ConditionGroup } from '../conditions/condition.dto';
import { type Fact, FACTS } from '../conditions/facts';
import { holds, type KnownOfCustomer } from '../conditions/holds';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import type { FieldError } from '../platform/api/problems/problem';

/** From when on customers see an offer, and until when, as ISO times. Null: without a start, or without an end. */
export interface OfferAvailable {
  from: string | null;
  until: string | null;
}

/** What an offer says of when and to whom it is made. */
interface Offered {
  available: OfferAvailable | null;
  when: ConditionGroup | null;
}

/** Why an offer is not made: it is not its time, or its conditions don't hold. */
export type NotOffered = 'not_now' | 'conditions';

/** Why an offer is not made to a customer at a time; undefined if it is. Other reasons are not its own. */
export function whyNotOffered(
  { available, when }: Offered,
  { attributes, facts }: Pick<KnownOfCustomer, 'attributes' | 'facts'>,
  now: Date,
): NotOffered | undefined {
  const { from, until } = available ?? { from: null, until: null };
  if ((from !== null && now < new Date(from)) || (until !== null && now >= new Date(until))) return 'not_now';
  const known = { attributes, facts, audiences: {}, answers: new Map(), results: new Map() };
  return when && !holds(when, known) ? 'conditions' : undefined;
}

/** The facts of the subscription that offers go by. */
export function factsOfOffered(offers: Pick<Offered, 'when'>[]): Fact[] {
  return factsAsked(
    offers.flatMap(({ when }) => (when ? conditionsOf(when) : [])),
    'subscription',
  );
}

/** The faults of when and to whom an offer is made, each with a pointer into the offer. */
export function faultsOfOffered({ available, when }: Partial<Offered>): FieldError[] {
  const { from, until } = available ?? {};
  const isOver = from != null && until != null && new Date(until) <= new Date(from);
  return [
    ...(isOver ? [{ pointer: '/available/until', message: 'must be later than from' }] : []),
    ...(when ? [...faultsOfWhen(when), ...faultsOfAsked(when)] : []),
  ];
}

/** An offer is in many flows, so it can't ask for their answers; nor for what each flow would have to count. */
function faultsOfAsked(when: ConditionGroup): FieldError[] {
  return conditionsOf(when).flatMap(({ condition, path }) => {
    const field = (['answer', 'result'] as const).find((name) => name in condition);
    const isOfSessions = 'fact' in condition && FACTS[condition.fact].of === 'sessions';
    if (!field && !isOfSessions) return [];
    const message =
      'must not be here: an offer goes by attributes and facts of the subscription. A branch asks for this';
    return [{ pointer: jsonPointer('when', ...path, field ?? 'fact'), message }];
  });
}
