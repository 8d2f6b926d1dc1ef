import type { Rule } from './rule';

/** India. */
export const IN: Rule[] = [
  {
    rule: 'no_shaming',
    check: 'hiding_label',
    severity: 'error',
    message: 'The button that declines this offer does not say so. Say what it does, such as "No, thanks".',
    source: 'Guidelines for Prevention and Regulation of Dark Patterns, 2023, annexure 1: confirm shaming',
    as_of: '2026-11-27',
  },
  {
    rule: 'no_shaming_of_page',
    check: 'hiding_cancel_label',
    severity: 'error',
    message:
      'The link that cancels does not say so on your page (data-message-cancel). Say what it does, such as "Cancel subscription".',
    source: 'Guidelines for Prevention and Regulation of Dark Patterns, 2023, annexure 1: confirm shaming',
    as_of: '2026-11-27',
  },
  {
    rule: 'no_shaming_text',
    check: 'shaming_text',
    severity: 'error',
    message: 'This text shames customers for leaving. Say plainly what it is about.',
    source: 'Guidelines for Prevention and Regulation of Dark Patterns, 2023, annexure 1: confirm shaming',
    as_of: '2026-11-28',
  },
  {
    rule: 'no_trap',
    check: 'required_answer',
    severity: 'warning',
    message: 'Customers have to write something to answer this question. Make the comment optional.',
    source: 'Guidelines for Prevention and Regulation of Dark Patterns, 2023, annexure 1: subscription trap',
    as_of: '2026-11-27',
  },
  {
    rule: 'no_nagging',
    check: 'offers_in_a_row',
    severity: 'warning',
    message: 'Customers meet this offer after two others. Show fewer.',
    source: 'Guidelines for Prevention and Regulation of Dark Patterns, 2023, annexure 1: nagging',
    as_of: '2026-11-27',
  },
];
