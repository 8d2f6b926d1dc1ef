/**
 * Whether a customer can see and press an element of a dialog, or would if they scrolled. What is opened above the
 * dialog, such as a popover, may go again.
 */
export function isReachable(element: HTMLElement, dialog: HTMLElement): boolean {
  // In tests without a browser, nothing has a place.
  if (!element.checkVisibility) return true;
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  const [own, all] = [element.getBoundingClientRect(), dialog.getBoundingClientRect()];
  const [x, y] = [own.x + own.width / 2, own.y + own.height / 2];
  const isInside = x > all.left && x < all.right && y + dialog.scrollTop > all.top;
  if (own.width < MIN_PX || own.height < MIN_PX || !isInside) return false;
  if (y > Math.min(all.bottom, innerHeight)) return y - all.top + dialog.scrollTop < dialog.scrollHeight;
  const hit = document.elementFromPoint(x, y);
  const above = hit?.closest('dialog, [popover]');
  return element.contains(hit) || (!!above && above !== dialog);
}

const MIN_PX = 8;
