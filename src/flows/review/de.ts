import type { Rule } from './rule';

/** Germany. */
export const DE: Rule[] = [
  {
    rule: 'direct_page',
    check: 'no_direct_way',
    severity: 'error',
    message:
      'The cancellation button has to lead directly to a page on which customers declare that they cancel, with no offer on it. Open the exit page, and let the button lead there instead of to this flow.',
    source:
      '§ 312k (2) BGB; Federal Court of Justice, I ZR 161/24; Higher Regional Court of Cologne, 6 U 62/24. Not found again: I ZR 200/25',
    as_of: '2026-11-27',
  },
  {
    rule: 'direct_button',
    check: 'indirect_button',
    severity: 'error',
    message:
      'The cancellation button of your page has to lead straight to the exit page. Link it to /exit/ and the slug of the flow, without data-retention-flow.',
    source:
      '§ 312k (2) BGB; Federal Court of Justice, I ZR 161/24; Higher Regional Court of Cologne, 6 U 62/24. Not found again: I ZR 200/25',
    as_of: '2026-11-27',
  },
  {
    rule: 'receipt',
    check: 'no_receipt',
    severity: 'warning',
    message:
      'Customers who cancel in this flow get no receipt from the service. Turn on receipts for sessions, or send one yourself at once.',
    source: '§ 312k (4) BGB',
    as_of: '2026-11-24',
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
