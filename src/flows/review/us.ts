import type { Rule } from './rule';

/**
 * The United States: federal law, and how it is enforced. It rests on the Act: a court vacated the rule of the Federal
 * Trade Commission on 8 July 2025, and the next one is an advance notice of 13 March 2026.
 */
export const US: Rule[] = [
  {
    rule: 'surveys_in_a_row',
    check: 'surveys_in_a_row',
    severity: 'warning',
    message:
      'Customers have to answer this question after another one. Regulators take questions one after another for an obstacle: ask one, or let customers skip it.',
    source:
      "Restore Online Shoppers' Confidence Act, 15 U.S.C. § 8403 (3): simple mechanisms to stop charges; Federal Trade Commission v. Amazon.com, W.D. Wash., settled in September 2025",
    as_of: '2026-11-27',
  },
  {
    rule: 'reasonable_offers',
    check: 'offers_in_a_row',
    severity: 'warning',
    message:
      'Customers meet this offer after two others. Regulators take many pages before the last one for an obstacle: show fewer offers.',
    source:
      "Restore Online Shoppers' Confidence Act, 15 U.S.C. § 8403 (3); Federal Trade Commission v. Amazon.com, W.D. Wash., settled in September 2025",
    as_of: '2026-11-27',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source:
      "Restore Online Shoppers' Confidence Act, 15 U.S.C. § 8403 (3): simple mechanisms to stop charges. The rule of the Federal Trade Commission was vacated on 8 July 2025",
    as_of: '2026-11-28',
  },
];
