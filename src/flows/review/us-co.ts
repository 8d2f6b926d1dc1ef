import type { Rule } from './rule';

/** Colorado. */
export const US_CO: Rule[] = [
  {
    rule: 'direct_link',
    check: 'offer_is_shown',
    severity: 'advice',
    message:
      'Beside an offer, there has to be a direct link to cancel. The widget shows "Cancel my subscription" on every page, as a link below the buttons. Don\'t hide it or rename it to something else.',
    source: 'Colorado Revised Statutes § 6-1-732, by SB25-145, since 16 February 2026',
    as_of: '2026-11-27',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'Colorado Revised Statutes § 6-1-732 (1)(d.7): nothing that obstructs or delays the cancellation',
    as_of: '2026-11-27',
  },
];
