import type { Rule } from './rule';

/** Massachusetts. */
export const US_MA: Rule[] = [
  {
    rule: 'simple_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Cancelling has to be at least as simple as signing up: open the exit page, and let it be found, too.',
    source: '940 CMR 38.00, since 2 September 2025',
    as_of: '2026-11-27',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: '940 CMR 38.00: a simple mechanism to cancel',
    as_of: '2026-11-27',
  },
];
