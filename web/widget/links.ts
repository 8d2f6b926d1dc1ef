import { webUrl } from './dom';
import { createApart, type RetentionFlowElement } from './element';
import { warn } from '../../client/headless/warn.ts';

/** The elements of the links that were clicked. */
const elements = new WeakMap<HTMLAnchorElement, RetentionFlowElement>();

/**
 * Opens the flow when a customer clicks on a link with `data-retention-flow`, whenever the link was added. It hears of
 * the click before the page does, so modals that stop clicks don't matter, and routers leave the click alone, since it
 * is prevented.
 *
 * Everything else is left to the browser: a click with a modifier key, or one for another window.
 */
export function onClick(event: MouseEvent): void {
  const link = event.composedPath().find(isFlowLink);
  if (!link || link.target.replace('_self', '')) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (event.defaultPrevented) return warn('a listener of the page prevented the click before');
  if (!webUrl(link.href)) return warn('the link has no href with http or https');
  const running = elements.get(link);
  // The cancellation page is slow: the browser asks for it again. If the address is another by now, an app showed it on
  // this page.
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

function isFlowLink(target: EventTarget): target is HTMLAnchorElement {
  return target instanceof HTMLAnchorElement && !!target.dataset.retentionFlow;
}
