import type { Rule } from './rule';

/** Virginia. */
export const US_VA: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Cancelling has to be at least as easy as signing up: open the exit page, and let it be found, too.',
    source:
      'Code of Virginia §§ 59.1-207.45 to 59.1-207.49, by HB 1022 and SB 493, since 1 July 2026: a simple mechanism to cancel, at least as easy to use as signing up',
    as_of: '2026-11-28',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source:
      'Code of Virginia §§ 59.1-207.45 to 59.1-207.49, by HB 1022 and SB 493, since 1 July 2026: a simple mechanism to cancel, at least as easy to use as signing up',
    as_of: '2026-11-28',
  },
];
