import type { Rule } from './rule';

/** The United Kingdom. */
export const UK: Rule[] = [
  {
    rule: 'reasonable_offers',
    check: 'screens_in_a_row',
    severity: 'warning',
    message:
      'Customers come to this page after two others that ask them something or offer them something. Only a reasonable number is allowed: show fewer.',
    source:
      'Digital Markets, Competition and Consumers Act 2024, on subscription contracts; expected to apply from spring 2027. Guidance on how many are reasonable is still to come',
    as_of: '2026-11-28',
  },
  {
    rule: 'receipt',
    check: 'no_receipt',
    severity: 'warning',
    message:
      'Customers who cancel in this flow get no acknowledgement from the service. Turn on receipts for sessions, or send one yourself.',
    source:
      'Digital Markets, Competition and Consumers Act 2024, on subscription contracts; expected to apply from spring 2027',
    as_of: '2026-11-24',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source:
      'Digital Markets, Competition and Consumers Act 2024, on subscription contracts; expected to apply from spring 2027',
    as_of: '2026-11-24',
  },
];
