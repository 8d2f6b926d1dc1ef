/** Less than this can't be pressed. */
const MIN_PX = 8;

/**
 * Whether a customer can see and press an element of a dialog, or would if they scrolled. What is opened above the
 * dialog, such as a popover, may go again.
 */
export function isReachable(element: HTMLElement, dialog: HTMLElement): boolean {
  // In jsdom, nothing has a place.
  if (!document.elementFromPoint) return true;
  const { left, top, width, height } = element.getBoundingClientRect();
  // What is not displayed has no size.
  if (getComputedStyle(element).visibility !== 'visible' || width < MIN_PX || height < MIN_PX) return false;
  const [x, y] = [left + width / 2, top + height / 2];
  for (let box = element; ; box = box.parentElement!) {
    const { opacity, overflowY } = getComputedStyle(box);
    if (opacity === '0') return false;
    const edge = box.getBoundingClientRect();
    const [across, down] = [x - edge.left, y - edge.top];
    const isIn = across >= 0 && across <= edge.width && down >= 0 && down <= edge.height;
    if (!isIn && overflowY !== 'visible') {
      const [inner, below] = [across + box.scrollLeft, down + box.scrollTop];
      const isInner = inner >= 0 && inner <= box.scrollWidth && below >= 0 && below <= box.scrollHeight;
      return isInner && /auto|scroll/.test(overflowY);
    }
    if (box === dialog) break;
  }
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
  const above = hit?.closest('dialog, [popover]');
  return element.contains(hit) || (!!above && above !== dialog);
}
