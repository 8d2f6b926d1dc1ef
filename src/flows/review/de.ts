import type { Rule } from './rule';

/** What is said of the button and its page. */
const DIRECT =
  '§ 312k (2) BGB; Federal Court of Justice, I ZR 161/24; Higher Regional Courts: Cologne, 6 U 62/24; Düsseldorf, 20 UKl 3/23 (no sign-in, one page)';

/** Germany. */
export const DE: Rule[] = [
  {
    rule: 'direct_page',
    check: 'no_direct_way',
    severity: 'error',
    message:
      'The cancellation button has to lead directly to a page on which customers declare that they cancel, with no offer on it. Open the exit page, and let the button lead there instead of to this flow.',
    source: DIRECT,
    as_of: '2026-11-28',
  },
  {
    rule: 'direct_button',
    check: 'indirect_button',
    severity: 'error',
    message:
      'The cancellation button of your page has to lead straight to the exit page. Link it to /exit/ and the slug of the flow, without data-retention-flow.',
    source: DIRECT,
    as_of: '2026-11-28',
  },
  {
    rule: 'own_page',
    check: 'unseen_page',
    severity: 'advice',
    message:
      'Your button leads to a page of your own, which this review does not see. Customers have to declare on it that they cancel: without a sign-in, a question or an offer before, and it has to be there always.',
    source:
      '§ 312k (2) BGB; Higher Regional Courts: Düsseldorf, 20 UKl 3/23 (no sign-in, one page); Frankfurt, 6 UKl 4/24 (the button is always there); Koblenz, 2 U 437/23',
    as_of: '2026-11-28',
  },
  {
    rule: 'withdrawal_function',
    check: 'no_withdrawal',
    severity: 'warning',
    message:
      'Contracts that were made online need a function to withdraw from them while customers may. Offer withdrawal on the exit page, or on a page of your own.',
    source: '§ 356a BGB, since 19 June 2026',
    as_of: '2026-11-28',
  },
  {
    rule: 'receipt',
    check: 'no_receipt',
    severity: 'warning',
    message:
      'Customers who cancel in this flow get no receipt from the service. Turn on receipts for sessions, or send one yourself at once.',
    source:
      '§ 312k (3) and (4) BGB; Higher Regional Court of Frankfurt, 6 UKl 4/24: customers can save it, and get a receipt',
    as_of: '2026-11-28',
  },
  {
    rule: 'sent_receipt',
    check: 'unsent_receipts',
    severity: 'error',
    message: 'The service sends no mails, so customers get no receipt. Ask its operator to set SMTP_URL.',
    source: '§ 312k (4) BGB',
    as_of: '2026-11-24',
  },
  {
    rule: 'another_way',
    check: 'no_address',
    severity: 'advice',
    message: 'The exit page names no address for the time when it can store nothing. Set one.',
    source: '§ 312k (6) BGB: without a working page, customers may cancel at any time without notice',
    as_of: '2026-11-24',
  },
];
