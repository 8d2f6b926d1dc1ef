import type { Flow } from '../headless/flow.ts';
import type { RetentionFlowOptions } from './types.ts';

/** What the customer waits for at an end: promises of the page, or for "Try again" after one was rejected. */
export type Held = 'pending' | 'failed' | undefined;

/** The page that was left for another one, until that comes. */
let leaving: string | undefined;

/** Whether the page is being left already. The browser asks for the next one, which may be slow. */
export function isLeaving(): boolean {
  return leaving === location.href;
}

/** Leads the customer to a page, if it is http or https. The browser may bring this one back, so its dialog goes. */
export function go(flow: Flow, url: string): void {
  flow.close();
  const { href, protocol } = new URL(url, document.baseURI);
  if (!/^https?:$/.test(protocol)) return;
  leaving = location.href;
  addEventListener('pageshow', () => (leaving = undefined), { once: true });
  location.assign(href);
}

/** Calls the page, whose errors are its own. */
export function attempt(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}

/**
 * Calls the page back on what happens in a flow, and leads the customer on at the end, unless the page prevents that or
 * makes them wait.
 *
 * @param latest the callbacks, as they are now
 * @param onHeld called with what the customer waits for
 */
export function createEnds(latest: () => RetentionFlowOptions, onHeld: (held: Held) => void) {
  /** What the page was told of last: the key of a node, or an end. */
  let told: string | undefined;
  let isHeld = false;
  let stays = false;
  /** How often the page was called. Promises of an earlier call don't matter any more. */
  let calls = 0;
  let tell: () => void;

  function hold(held: Held): void {
    isHeld = !!held;
    onHeld(held);
  }

  function proceed(flow: Flow): void {
    hold(undefined);
    const view = flow.getView();
    const isRead = view.type === 'left' || (view.type === 'canceled' && !view.closing);
    const url = isRead ? view.url : 'acceptUrl' in view && view.acceptUrl;
    if (url && !stays) go(flow, url);
    else if (isRead) flow.close();
  }

  function callBack(flow: Flow): void {
    const view = flow.getView();
    const call = ++calls;
    const promises: PromiseLike<unknown>[] = [];
    stays = false;
    const event = {
      ...view,
      sessionId: flow.sessionId(),
      waitUntil: (promise: PromiseLike<unknown>) => void promises.push(promise),
      preventDefault: () => void (stays = true),
    };
    const { onSaved, onContacted, onCanceled } = latest();
    try {
      if (view.type === 'saved') onSaved?.(event);
      if (view.type === 'contacted') onContacted?.(event);
      if (view.type === 'canceled') onCanceled?.(event);
    } catch (error) {
      promises.push(Promise.reject(error));
    }
    if (promises.length === 0) return proceed(flow);
    hold('pending');
    const settle = (act: () => void) => () => call === calls && act();
    Promise.all(promises).then(
      settle(() => proceed(flow)),
      settle(() => hold('failed')),
    );
  }

  return {
    /** Calls the page once more, after a promise was rejected. */
    retry: () => tell(),

    /** Returns a function that ends it. */
    follow(flow: Flow): () => void {
      tell = () => callBack(flow);
      return flow.subscribe(() => {
        const view = flow.getView();
        const now = view.type === 'node' ? view.node.key : view.type;
        const isNew = now !== told;
        told = now;
        if (['saved', 'contacted', 'canceled'].includes(view.type)) {
          if (isNew) tell();
          else if (!isHeld) proceed(flow);
          return;
        }
        calls++;
        hold(undefined);
        if (view.type === 'left') proceed(flow);
        if (view.type !== 'node' || !isNew) return;
        const { key, type } = view.node;
        attempt(() => latest().onShown?.({ node: key, type, sessionId: flow.sessionId() }));
      });
    },
  };
}
