import type { Rule } from './rule';

/** The European Union. */
export const EU: Rule[] = [
  {
    rule: 'withdrawal_function',
    check: 'no_withdrawal',
    severity: 'warning',
    message:
      'Contracts that were made online need a function to withdraw from them while customers may. Offer withdrawal on the exit page, or on a page of your own.',
    source: 'Directive 2011/83/EU, Article 11a, by Directive (EU) 2023/2673, applies since 19 June 2026',
    as_of: '2026-11-24',
  },
  {
    rule: 'sent_receipt',
    check: 'unsent_receipts',
    severity: 'error',
    message: 'The service sends no mails, so customers get no receipt. Ask its operator to set SMTP_URL.',
    source: 'Directive 2011/83/EU, Article 11a (4), by Directive (EU) 2023/2673',
    as_of: '2026-11-24',
  },
  {
    rule: 'plain_labels',
    check: 'hiding_label',
    severity: 'warning',
    message: 'The button that declines this offer does not say so. Say what it does, such as "No, thanks".',
    source: 'Directive 2005/29/EC, Articles 6 and 7; Commission Notice 2021/C 526/01, 4.2.7',
    as_of: '2026-11-24',
  },
  {
    rule: 'no_shaming',
    check: 'shaming_text',
    severity: 'warning',
    message: 'This text shames customers for leaving. Say plainly what it is about.',
    source: 'Directive 2005/29/EC, Articles 6 and 7; Commission Notice 2021/C 526/01, 4.2.7',
    as_of: '2026-11-28',
  },
  {
    rule: 'plain_labels_of_page',
    check: 'hiding_cancel_label',
    severity: 'warning',
    message:
      'The link that cancels does not say so on your page (data-message-cancel). Say what it does, such as "Cancel subscription".',
    source: 'Directive 2005/29/EC, Articles 6 and 7; Commission Notice 2021/C 526/01, 4.2.7',
    as_of: '2026-11-24',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'Directive 2005/29/EC, Article 9 (d): no onerous barriers to end a contract',
    as_of: '2026-11-24',
  },
];
