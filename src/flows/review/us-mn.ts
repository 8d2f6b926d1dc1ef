import type { Rule } from './rule';

/** Minnesota. */
export const US_MN: Rule[] = [
  {
    rule: 'no_offer_before_leaving',
    check: 'offer_is_shown',
    severity: 'error',
    message:
      'While customers cancel, no offer may be shown to them, unless they agreed to see offers. Lead customers from Minnesota past this offer: with a branch, or to the exit page.',
    source: 'Minnesota Statutes §§ 325G.56 to 325G.62, since 1 January 2025',
    as_of: '2026-11-27',
  },
];
