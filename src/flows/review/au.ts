import type { Rule } from './rule';

/** Australia: a bill, not yet law. */
export const AU: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Cancelling is to be straightforward: open the exit page, and let it be found, too.',
    source:
      'Competition and Consumer Amendment (Unfair Trading Practices) Bill 2026; proposed to apply from 1 July 2027',
    as_of: '2026-11-27',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'advice',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source:
      'Competition and Consumer Amendment (Unfair Trading Practices) Bill 2026; proposed to apply from 1 July 2027',
    as_of: '2026-11-27',
  },
];
