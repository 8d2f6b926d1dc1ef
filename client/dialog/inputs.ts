import type { Survey } from '../headless/types.ts';
import type { Messages } from './messages.ts';

/** The longest comment that the service takes. */
export const MAX_COMMENT = 5000;

/** What the comment is called: as the first chosen option that has a name for it says. */
export function commentLabel({ options, comment }: Survey, chosen: unknown[], messages: Messages): string {
  const own = options.find(({ value, comment_label }) => comment_label && chosen.includes(value))?.comment_label;
  return (own ?? messages.comment) + (comment === 'required' ? '' : ` (${messages.optional})`);
}

/** How long a pause lasts: "3 months". */
export function monthsIn(lang?: string): (months: number) => string {
  const format = new Intl.NumberFormat(lang || undefined, { style: 'unit', unit: 'month', unitDisplay: 'long' });
  return (months) => format.format(months);
}
