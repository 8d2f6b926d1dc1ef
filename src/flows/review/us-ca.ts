import type { Rule } from './rule';

/** California. */
export const US_CA: Rule[] = [
  {
    rule: 'prominent_way',
    check: 'offer_is_larger',
    severity: 'advice',
    message:
      'Beside an offer, the way to cancel has to be prominent, near and always there. The widget shows "Cancel my subscription" on every page, as a link below the buttons. Don\'t hide it or make it smaller.',
    source: 'California Business and Professions Code § 17602 (e)',
    as_of: '2026-11-24',
  },
  {
    rule: 'plain_labels',
    check: 'hiding_label',
    severity: 'warning',
    message: 'The button that declines this offer does not say so. Say what it does, such as "No, thanks".',
    source: 'California Business and Professions Code § 17602 (e)',
    as_of: '2026-11-24',
  },
  {
    rule: 'plain_labels_of_page',
    check: 'hiding_cancel_label',
    severity: 'warning',
    message:
      'The link that cancels does not say so on your page (data-message-cancel). Say what it does, such as "Cancel subscription".',
    source: 'California Business and Professions Code § 17602 (e)',
    as_of: '2026-11-24',
  },
  {
    rule: 'free_to_go',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'California Business and Professions Code § 17602: no steps that obstruct or delay',
    as_of: '2026-11-24',
  },
];
