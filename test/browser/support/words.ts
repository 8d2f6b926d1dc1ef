/** What the widget says by itself, in English. */
export const WORDS = {
  proceed: 'Continue',
  keep: 'Keep my subscription',
  leave: 'Cancel my subscription',
  close: 'Close',
  comment: 'Your comment',
  retry: 'Try again',
  thanks: 'Thank you for staying',
  moment: 'One moment…',
} as const;
