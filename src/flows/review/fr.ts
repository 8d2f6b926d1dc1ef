import type { Rule } from './rule';

/** France. */
export const FR: Rule[] = [
  {
    rule: 'direct_page',
    check: 'no_direct_way',
    severity: 'error',
    message:
      'The link "Résilier votre contrat" has to lead directly and easily to the page on which customers cancel. Open the exit page, and let the link lead there instead of to this flow.',
    source: 'Code de la consommation, articles L. 215-1-1 and D. 215-1, by Décret n° 2023-417 of 31 May 2023',
    as_of: '2026-11-27',
  },
  {
    rule: 'direct_button',
    check: 'indirect_button',
    severity: 'error',
    message:
      'The cancellation button of your page has to lead straight to the exit page. Link it to /exit/ and the slug of the flow, without data-retention-flow.',
    source: 'Code de la consommation, articles L. 215-1-1 and D. 215-1, by Décret n° 2023-417 of 31 May 2023',
    as_of: '2026-11-27',
  },
  {
    rule: 'own_page',
    check: 'unseen_page',
    severity: 'advice',
    message:
      'Your button leads to a page of your own, which this review does not see. Customers have to be able to cancel on it directly and easily.',
    source: 'Code de la consommation, articles L. 215-1-1 and D. 215-1, by Décret n° 2023-417 of 31 May 2023',
    as_of: '2026-11-28',
  },
  {
    rule: 'withdrawal_function',
    check: 'no_withdrawal',
    severity: 'warning',
    message:
      'Contracts that were made online need a function to withdraw from them while customers may. Offer withdrawal on the exit page, or on a page of your own.',
    source:
      'Code de la consommation, articles L. 221-21 and D. 221-5, by Ordonnance n° 2026-2 and Décret n° 2026-3, since 19 June 2026',
    as_of: '2026-11-28',
  },
  {
    rule: 'receipt',
    check: 'no_receipt',
    severity: 'warning',
    message:
      'Customers who cancel in this flow get no confirmation from the service. Turn on receipts for sessions, or send one yourself.',
    source: 'Code de la consommation, article L. 215-1-1: a confirmation on a durable medium',
    as_of: '2026-11-27',
  },
  {
    rule: 'sent_receipt',
    check: 'unsent_receipts',
    severity: 'error',
    message: 'The service sends no mails, so customers get no receipt. Ask its operator to set SMTP_URL.',
    source: 'Code de la consommation, article L. 215-1-1: a confirmation on a durable medium',
    as_of: '2026-11-27',
  },
];
