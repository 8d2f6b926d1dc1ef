import type { Rule } from './rule';

/** Georgia. */
export const US_GA: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. A clear link has to lead to a way to cancel: open the exit page, and let it be found, too.',
    source:
      'Official Code of Georgia § 10-1-439.9, by HB 528, since 1 January 2024: a clear and conspicuous link to cancel, or a mail that needs no further explanation',
    as_of: '2026-11-28',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source:
      'Official Code of Georgia § 10-1-439.9, by HB 528, since 1 January 2024: a clear and conspicuous link to cancel, or a mail that needs no further explanation',
    as_of: '2026-11-28',
  },
];
