import type { Rule } from './rule';

/** South Korea. */
export const KR: Rule[] = [
  {
    rule: 'equal_buttons',
    check: 'offer_is_larger',
    severity: 'warning',
    message:
      'The button that accepts is filled, and the way to cancel is a link. Choices must not differ much in size, shape or colour in favour of the business: show this offer after a page on which customers can leave, or not at all.',
    source:
      'Act on the Consumer Protection in Electronic Commerce, article 21-2 (1): false hierarchies, since 14 February 2025',
    as_of: '2026-11-27',
  },
  {
    rule: 'plain_labels',
    check: 'hiding_label',
    severity: 'warning',
    message: 'The button that declines this offer does not say so. Say what it does, such as "No, thanks".',
    source: 'Act on the Consumer Protection in Electronic Commerce, article 21-2 (1), since 14 February 2025',
    as_of: '2026-11-27',
  },
  {
    rule: 'plain_labels_of_page',
    check: 'hiding_cancel_label',
    severity: 'warning',
    message:
      'The link that cancels does not say so on your page (data-message-cancel). Say what it does, such as "Cancel subscription".',
    source: 'Act on the Consumer Protection in Electronic Commerce, article 21-2 (1), since 14 February 2025',
    as_of: '2026-11-27',
  },
  {
    rule: 'no_repeated_asking',
    check: 'offers_in_a_row',
    severity: 'warning',
    message:
      'Customers meet this offer after two others. Asking again and again to change a choice is not allowed: show fewer offers.',
    source:
      'Act on the Consumer Protection in Electronic Commerce, article 21-2 (1): repeated interference, since 14 February 2025',
    as_of: '2026-11-27',
  },
];
