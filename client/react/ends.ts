import type { Flow, View } from '../headless/flow.ts';
import { warn } from '../headless/warn.ts';
import type { RetentionFlowOptions } from './types.ts';

/** What the customer waits for at an end: promises of the page, or for "Try again" after one was rejected. */
export type Held = 'pending' | 'failed' | undefined;

/** The page that was left for another one, until that comes. */
let leaving: string | undefined;

/** Whether the page is being left already. The browser asks for the next one, which may be slow. */
export function isLeaving(): boolean {
  return leaving === location.href;
}

/** Leads the customer to a page. The browser may bring this one back, so its dialog goes. */
export function go(flow: Pick<Flow, 'close'>, url: string): void {
  const { href, protocol } = new URL(url, document.baseURI);
  flow.close();
  if (protocol === 'javascript:') return;
  leaving = location.href;
  addEventListener('pageshow', () => (leaving = undefined), { once: true });
  location.assign(href);
}

/** Calls the page, whose errors are its own. */
export function attempt(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** What is the same as long as the customer sees the same page. A node may have any key. */
export function pageKeyOf(view: View): string {
  return view.type === 'node' ? `node ${view.node.key}` : view.type;
}

/**
 * Calls the page back on what happens in a flow, and leads the customer on at the end, unless the page prevents that or
 * makes them wait.
 *
 * @param latest the options, as they are now
 * @param onHeld called with what the customer waits for
 */
export function createEnds(flow: Flow, latest: () => RetentionFlowOptions, onHeld: (held: Held) => void) {
  let told = 'nothing';
  let held: Held;
  /** Leads the customer on after what the page was told last. */
  let proceed = () => {};
  /** How often the page was called. What an earlier call promised doesn't matter any more. */
  let calls = 0;
  let unsubscribe: (() => void) | undefined;
  let isOver = false;

  function hold(now: Held): void {
    held = now;
    onHeld(now);
  }

  function lead(url: string | undefined): void {
    go(flow, url ?? latest().cancelUrl);
  }

  function callBack(view: View): void {
    const call = ++calls;
    const promises: unknown[] = [];
    let stays = false;
    let hasReturned = false;
    const event = {
      ...view,
      sessionId: flow.sessionId(),
      waitUntil(promise: PromiseLike<unknown>) {
        if (hasReturned) warn('waitUntil was called when the callback had returned');
        promises.push(promise);
      },
      preventDefault: () => void (stays = true),
    };
    proceed = () => {
      hold(undefined);
      const now = flow.getView();
      if (now.type === 'canceled') {
        if (now.closing) return;
        if (stays) flow.close();
        else lead(now.url);
      } else if (!stays && 'acceptUrl' in view && view.acceptUrl) lead(view.acceptUrl);
    };
    const callbacks = { saved: 'onSaved', contacted: 'onContacted', canceled: 'onCanceled' } as const;
    try {
      promises.push(latest()[callbacks[view.type as 'canceled']]?.(event));
    } catch (error) {
      promises.push(Promise.reject(error));
    }
    hasReturned = true;
    if (promises.every((one) => typeof (one as PromiseLike<unknown> | undefined)?.then !== 'function'))
      return proceed();
    hold('pending');
    const settle = (act: () => void) => () => call === calls && act();
    Promise.all(promises).then(
      settle(() => proceed()),
      settle(() => (told === 'nothing' ? proceed() : hold('failed'))),
    );
  }

  function onView(): void {
    const view = flow.getView();
    const now = pageKeyOf(view);
    const isNew = now !== told;
    told = now;
    if (view.type === 'saved' || view.type === 'contacted' || view.type === 'canceled') {
      if (isNew) callBack(view);
      else if (!held) proceed();
    } else if (view.type === 'nothing') {
      // Who closes the thanks is led to where the offer leads.
      if (held === 'failed') proceed();
      else hold(undefined);
    } else {
      calls++;
      hold(undefined);
    }
    if (view.type === 'left') lead(view.url);
    if (view.type === 'node' && isNew) {
      const { key: node, type } = view.node;
      attempt(() => latest().onShown?.({ node, type, sessionId: flow.sessionId() }));
    }
    if (isOver && view.type === 'nothing') stop();
  }

  function stop(): void {
    unsubscribe?.();
    unsubscribe = undefined;
  }

  return {
    /** Calls the page once more, after a promise was rejected. */
    retry: () => callBack(flow.getView()),

    /** Returns a function that ends it: closes the dialog, unless the customer is about to be led away. */
    follow(): () => void {
      isOver = false;
      unsubscribe ??= flow.subscribe(onView);
      return () => {
        isOver = true;
        if (flow.getView().type !== 'canceled') flow.close();
        if (flow.getView().type === 'nothing') stop();
      };
    },
  };
}
