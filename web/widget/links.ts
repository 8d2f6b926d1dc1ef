import { webUrl } from './dom';
import { createApart, type RetentionFlowElement } from './element';

/** The elements of the links that were clicked. */
const elements = new WeakMap<HTMLAnchorElement, RetentionFlowElement>();

/**
 * Opens the flow when a customer clicks on a link with `data-retention-flow`, whenever the link was added. Everything else
 * is left to the browser: a click with a modifier key, or one for another window.
 */
function onClick(event: MouseEvent): void {
  // Some modals stop the clicks in them. What is stopped here goes no further.
  if (!event.cancelBubble && event.currentTarget !== document) return;
  const link = event.composedPath().find(isFlowLink);
  if (!link || link.target.replace('_self', '') || !webUrl(link.href) || event.defaultPrevented) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const running = elements.get(link);
  // The cancellation page is slow: the browser asks for it again. If the address is another by now, an app showed it on this page.
  if (running?.leaving === location.href) return;
  if (running?.isConnected) {
    // A double click is one click.
    if (event.detail < 2) running.leave();
  } else {
    const element = createApart();
    elements.set(link, element);
    void element.show({ flow: link.dataset.retentionFlow, cancelUrl: link.href, source: link });
  }
  // Last: if anything above throws, the link leads on.
  event.preventDefault();
}

/** Follows a click on a link, to hear of it after the page, and wherever the page stops it. */
export function onClickDown(event: MouseEvent): void {
  const path = event.composedPath();
  if (!path.some(isFlowLink)) return;
  for (const target of path) {
    // A form's own may be an element: see `own`.
    EventTarget.prototype.addEventListener.call(target, 'click', onClick as EventListener, { once: true });
  }
}

function isFlowLink(target: EventTarget): target is HTMLAnchorElement {
  return target instanceof HTMLAnchorElement && !!target.dataset.retentionFlow;
}
