import type { Rule } from './rule';

/** Spain. */
export const ES: Rule[] = [
  {
    rule: 'easy_way',
    check: 'no_direct_way',
    severity: 'advice',
    message:
      'Customers come to this offer before they can leave, and there is no page without offers. Leaving has to be possible without obstacles: open the exit page, and let it be found, too.',
    source:
      'Ley 10/2025, of 26 December 2025, on customer services; companies that it reaches adapt until 28 December 2026',
    as_of: '2026-11-28',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'Ley 10/2025, of 26 December 2025, on customer services: leaving without obstacles',
    as_of: '2026-11-28',
  },
];
