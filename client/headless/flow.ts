import type { AcceptedOffer, Alert, Closing, Draft, FlowNode, Result, Step } from './types.ts';
import { createWalk, type End, type Walk, type WalkOptions, type World } from './walk.ts';
import { world as browser } from './world.ts';

/** A node of a type that is newer than this package: show its title, if it has one, and the way out. */
export interface UnknownNode {
  key: string;
  type: 'unknown';
  config: { title?: string };
}

/** What to show now. On each of them, the customer can leave. */
export type View =
  /** No dialog: nothing has begun, or it was closed. */
  | { type: 'nothing' }
  /** The service takes its time. */
  | { type: 'starting' }
  /**
   * A page of the flow. `draft`: what was entered there before; `busy`: the step that is under way; `alert`: what the
   * customer has to be told about the last one.
   */
  | { type: 'node'; node: FlowNode | UnknownNode; draft?: Draft; busy?: Step; alert?: Alert }
  /** The customer stays; the service has confirmed it. `closing`: what they read if they accepted an offer. */
  | {
      type: 'saved';
      acceptedOffer?: AcceptedOffer;
      acceptUrl?: string;
      closing?: Closing;
      fulfilment?: Result['fulfilment'];
    }
  /** The customer has accepted an offer that is no save, such as a call. They may still leave. */
  | { type: 'contacted'; acceptedOffer: AcceptedOffer; acceptUrl?: string; closing?: Closing }
  /** The customer cancels: show `closing`, if there is one, and lead them to `url`. */
  | { type: 'canceled'; url?: string; closing?: Closing }
  /** Nothing could be shown: lead the customer to `url`. `reason`: such as `timeout`, or the code of the service's problem. */
  | { type: 'left'; url?: string; reason: string };

export interface FlowOptions extends Pick<WalkOptions, 'api' | 'customer' | 'customerToken' | 'locale' | 'limits'> {
  /** The slug of the flow. */
  flow: string;
  /** Where the customer cancels. By default, what the service says, which nobody knows while it is away. */
  cancelUrl?: string;
  /** A session that exists already, such as a preview, in place of a new one. */
  sessionId?: string;
}

/** A flow without a look: what to show, and what the customer does. It never navigates. */
export interface Flow extends Pick<Walk, 'take' | 'note' | 'retry'> {
  /** Calls back after each change of the view. Returns a function that ends that. */
  subscribe(listener: () => void): () => void;
  /** What to show now: the same object until it changes. */
  getView(): View;
  /** The session, as soon as it is known. */
  sessionId(): string | undefined;
  /** Starts the session of a customer who pressed the link, or goes on with that of this tab. Ignored while one is open. */
  start(): void;
  /** The cancel link: tells the service, in 2.5 s at most, and ends as `canceled`. Before a start, at once. */
  leave(): void;
  /**
   * Esc or ×: the session stays open, and the next start goes on with it. If `accept` or `keep` is under way, it is
   * shown as `saved` once it is confirmed.
   */
  close(): void;
}

const TYPES: string[] = ['start', 'survey', 'offer', 'confirm', 'custom'] satisfies FlowNode['type'][];

export function createFlow(options: FlowOptions, world: World = browser()): Flow {
  const { cancelUrl } = options;
  const listeners = new Set<() => void>();
  let view: View = { type: 'nothing' };
  let walk: Walk | undefined;
  /** Whether another one may begin. */
  let isOver = true;
  /** Whether the dialog went without an end: `close` during an `accept`, or of what is read at the end. */
  let isHidden = false;

  function show(next: View): void {
    view = next;
    for (const listener of listeners) listener();
  }

  function begin(): Walk {
    let closing: Closing | undefined;
    const own: Walk = createWalk(
      {
        ...options,
        onBranding: () => undefined,
        onView(shown) {
          if (walk !== own) return;
          if (shown.type === 'node') show({ ...shown, node: known(shown.node) });
          else if (shown.type === 'starting') show(shown);
          else if (shown.type === 'nothing') isHidden = true;
          else if (shown.type !== 'canceled') closing = shown.closing;
          else {
            isOver = true;
            show({ ...shown, url: cancelUrl ?? shown.url });
          }
        },
        onEnd(end) {
          if (walk !== own) return;
          isOver = true;
          show(viewOf(end, closing));
        },
      },
      world,
    );
    return own;
  }

  function viewOf({ outcome, reason = '', cancellationUrl, stays, ...end }: End, closing?: Closing): View {
    const { acceptedOffer, acceptUrl, fulfilment } = end;
    const url = cancelUrl ?? cancellationUrl;
    if (outcome === 'saved') return { type: outcome, acceptedOffer, acceptUrl, closing, fulfilment };
    if (outcome === 'contacted') return { type: outcome, acceptedOffer: acceptedOffer!, acceptUrl, closing };
    if (outcome === 'unavailable') return { type: 'left', url, reason };
    return outcome === 'closed' || stays ? { type: 'nothing' } : { type: outcome, url };
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getView: () => view,
    sessionId: () => walk?.sessionId(),
    start() {
      if (!isOver) return;
      isOver = false;
      walk = begin();
      walk.start();
    },
    take: (step) => walk?.take(step),
    note: (draft) => walk?.note(draft),
    retry: () => walk?.retry(),
    leave() {
      if (isOver && view.type === 'nothing') walk = begin();
      walk?.leave();
    },
    close() {
      const before = view;
      isHidden = false;
      walk?.close();
      if (!isHidden || view !== before) return;
      isOver = true;
      show({ type: 'nothing' });
    },
  };
}

function known(node: FlowNode): FlowNode | UnknownNode {
  const { title } = node.config as { title?: unknown };
  if (TYPES.includes(node.type)) return node;
  return { key: node.key, type: 'unknown', config: typeof title === 'string' ? { title } : {} };
}
