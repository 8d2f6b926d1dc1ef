/**
 * Brings what has just appeared into view: from its beginning, where it would be seen at the edge of the screen only.
 */
export function bringIntoView(element: HTMLElement): void {
  element.scrollIntoView({ block: 'nearest' });
  if (element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView({ block: 'start' });
}
