import type { Rule } from './rule';

/** New York. */
export const US_NY: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Cancelling has to be easy and timely: open the exit page, and let it be found, too.',
    source: 'New York General Business Law § 527-a, since 5 November 2025',
    as_of: '2026-11-27',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'New York General Business Law § 527-a: an easy and timely way to cancel',
    as_of: '2026-11-27',
  },
];
