import type { FieldError } from '../../platform/api/problems/problem';
import { neededOf, type OfferTerms, type OfferType, type Term } from './types';

/** The faults of the terms of an offer, each with a pointer into the offer. */
export function faultsOfTerms(type: OfferType, terms: OfferTerms): FieldError[] {
  const given = (Object.keys(terms) as Term[]).filter((term) => terms[term] !== undefined);
  const needed = neededOf(type, terms);
  const extra = given.filter((term) => !needed.includes(term));
  const missing = needed.filter((term) => !given.includes(term));
  const isChoice = Array.isArray(terms.months) && needed.includes('months') && type !== 'pause_subscription';
  if (needed.length === 0) return [{ pointer: '/terms', message: `are not taken by an offer of type ${type}` }];
  return [
    ...extra.map((term) => ({ pointer: `/terms/${term}`, message: `is not taken here, only ${needed.join(', ')}` })),
    ...missing.map((term) => ({ pointer: `/terms/${term}`, message: 'must be given' })),
    ...(isChoice ? [{ pointer: '/terms/months', message: 'is a list only for a pause' }] : []),
  ];
}
