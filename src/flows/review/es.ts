import type { Rule } from './rule';

/** Spain. */
export const ES: Rule[] = [
  {
    rule: 'easy_way',
    check: 'offers_and_no_direct_way',
    severity: 'advice',
    message:
      'Customers meet this offer on their way out, and there is no page without offers. Leaving has to be possible without obstacles: open the exit page, and let it be found, too.',
    source:
      'Ley 10/2025, of 26 December 2025, on customer services; companies that it reaches adapt until 28 December 2026',
    as_of: '2026-11-28',
  },
];
