import type { RetentionFlow } from '@retention-flow/client';

type Query = NonNullable<Parameters<RetentionFlow['flows']['review']>[1]>;
/** What the review is told of a page. */
export type OwnButton = Pick<Query, 'button' | 'cancel_label'>;

/**
 * Reads the cancel button of a page.
 *
 * @param html as it is on the page, with or without what is around it
 * @param slug of the flow
 * @returns undefined if there is no button in it
 */
export function ownButtonIn(html: string, slug: string): OwnButton | undefined {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const button = page.querySelector('[data-retention-flow], retention-flow, a[href], form[action]');
  if (!button) return undefined;
  const label = button.getAttribute('data-message-cancel') ?? button.getAttribute('message-cancel');
  return { button: targetOf(button, slug), ...(label?.trim() && { cancel_label: label.trim() }) };
}

function targetOf(button: Element, slug: string): OwnButton['button'] {
  if (button.matches('[data-retention-flow], retention-flow')) return 'flow';
  const address = button.getAttribute('href') ?? button.getAttribute('action') ?? '';
  // Without what follows the path.
  const [path] = address.split(/[?#]/);
  return path.endsWith(`/exit/${slug}`) ? 'exit_page' : 'elsewhere';
}

export const TARGET_WORDS: Record<NonNullable<OwnButton['button']>, string> = {
  flow: 'It opens a flow.',
  exit_page: 'It leads straight to the exit page.',
  elsewhere: 'It leads neither to a flow nor to the exit page.',
};
