import type { Rule } from './rule';

/** Connecticut. */
export const US_CT: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Customers who signed up online may leave online: open the exit page, and let it be found, too.',
    source:
      'Connecticut General Statutes § 42-158ff, by HB 5314, since 1 October 2023: customers who signed up online may leave online',
    as_of: '2026-11-28',
  },
];
