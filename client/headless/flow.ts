import type { AcceptedOffer, Alert, Branding, Closing, Draft, FlowNode, Image, Result, Step } from './types.ts';
import { isWebUrl } from './service.ts';
import { createWalk, type End, LIMITS, type Walk, type WalkOptions, type World } from './walk.ts';
import type { TabStorage } from './memory.ts';
import { world } from './world.ts';

/** A node of a type that is newer than this package: show its title, if it has one, and the way out. */
export interface UnknownNode {
  key: string;
  type: 'unknown';
  config: { title?: string };
}

/** What to show now. On each of them, the customer can leave. */
export type View = Shape & {
  /** Nothing of this is real: the flow is a `fakeFlow`. */
  isLocal?: true;
};

type Shape =
  /** No dialog: nothing has begun, or it was closed. */
  | { type: 'nothing' }
  /** The service takes its time. */
  | { type: 'starting' }
  /**
   * A page of the flow. `draft`: what had been entered there when it came; `busy`: the step that is under way;
   * `alert`: what the customer has to be told about the last one.
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
  /** The flow could not go on: lead the customer to `url`. `reason`: such as `timeout`, or the code of the problem. */
  | { type: 'left'; url?: string; reason: string };

/** How long the customer waits at most, in milliseconds. */
export interface Limits {
  /** For the first page, the token included: 2500. */
  start: number;
  /** For an answer to a step: 3000; other than `accept` and `keep`, it is tried once more, in twice the time. */
  step: number;
  /** For telling the service that the customer leaves: 2500, so that they are gone in less than 3 s. */
  leave: number;
}

export interface FlowOptions extends Pick<WalkOptions, 'api' | 'customer' | 'customerToken' | 'locale'> {
  limits?: Partial<Limits>;
  /** The slug of the flow. */
  flow: string;
  /** Where the customer cancels. By default, what the service says, which nobody knows while it is away. */
  cancelUrl?: string;
  /** A session that exists already, such as a preview, in place of a new one. */
  sessionId?: string;
}

/**
 * A flow without a look: what to show, and what the customer does. It never navigates. The options are read at each
 * start, and `cancelUrl` when it is needed.
 */
export interface Flow extends Pick<Walk, 'take' | 'note' | 'retry'> {
  /** Calls back after each change of the view. Returns a function that ends that. */
  subscribe: (listener: () => void) => () => void;
  /** What to show now: the same object until it changes. */
  getView: () => View;
  /** The session, as soon as it is known. */
  sessionId: () => string | undefined;
  /** The workspace's colour and logo, as soon as they are known: with the first node. */
  branding: () => Branding | undefined;
  /** Starts a session, or goes on with that of this tab. While one is under way, does nothing, and returns false. */
  start: () => boolean;
  /**
   * The cancel link: tells the service, in 2.5 s at most, and ends as `canceled`. Where no session is under way, at
   * once.
   */
  leave: () => void;
  /**
   * Esc or ×: the session stays open, and the next start goes on with it. If `accept` or `keep` is under way, it is
   * shown as `saved` once it is confirmed.
   */
  close: () => void;
}

const TYPES: string[] = ['start', 'survey', 'offer', 'confirm', 'custom'] satisfies FlowNode['type'][];

/** Storage that is gone with the program. */
export function inMemory(): TabStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

/**
 * The browser, or an app, which has neither `sessionStorage` nor `crypto`: it remembers as long as the flow is there,
 * and its keys only have to differ.
 */
function anyHost(): World {
  const browser = world();
  const memory = inMemory();
  return {
    fetch: (...request) => browser.fetch(...request),
    now: () => browser.now(),
    after: (milliseconds, callback) => browser.after(milliseconds, callback),
    get storage() {
      try {
        return sessionStorage;
      } catch {
        return memory;
      }
    },
    randomKey: () => (globalThis.crypto ? browser.randomKey() : `${Math.random()}${Math.random()}`),
  };
}

export function createFlow(options: FlowOptions, host: World = anyHost()): Flow {
  const listeners = new Set<() => void>();
  let view: View = { type: 'nothing' };
  let walk: Walk | undefined;
  /** Where the customer goes who cancels, as the service said last. */
  let cancellationUrl: string | undefined;
  let branding: Branding | undefined;
  /** Whether another one may begin. */
  let isOver = true;
  /** Whether the dialog went without an end: `close` during an `accept`, or of what is read at the end. */
  let isHidden = false;

  function show(next: View): void {
    view = next;
    const failures: unknown[] = [];
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        failures.push(error);
      }
    }
    // What can't be shown lets the customer go: the walk sees to that.
    if (failures.length > 0) throw failures[0];
  }

  function begin(): Walk {
    const { start = LIMITS[0], step = LIMITS[1], leave = LIMITS[2] } = options.limits ?? {};
    const api = options.api.replace(/\/+$/, '');
    let closing: Closing | undefined;
    const own: Walk = createWalk(
      {
        ...options,
        api,
        customerToken: options.customerToken || undefined,
        limits: [start, step, leave],
        onBranding: (own) => (branding = own),
        onView(shown) {
          if (walk !== own) return;
          if (shown.type === 'node') show({ ...shown, node: known(shown.node, api) });
          else if (shown.type === 'starting') show(shown);
          else if (shown.type === 'nothing') isHidden = true;
          else if (shown.type !== 'canceled') closing = shown.closing;
          else {
            isOver = true;
            cancellationUrl = shown.url;
            show({ ...shown, url: urlNow() });
          }
        },
        onEnd(end) {
          if (walk !== own) return;
          isOver = true;
          cancellationUrl = end.cancellationUrl ?? cancellationUrl;
          try {
            show(viewOf(end, closing));
          } catch {
            // It is told already that something can't be shown.
          }
        },
      },
      host,
    );
    return own;
  }

  const urlNow = () => options.cancelUrl ?? cancellationUrl;

  function viewOf({ outcome, reason = '', stays, acceptedOffer, fulfilment, ...end }: End, closing?: Closing): View {
    const acceptUrl = isWebUrl(end.acceptUrl) ? end.acceptUrl : undefined;
    const url = urlNow();
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
    branding: () => branding,
    start() {
      if (!isOver) return false;
      isOver = false;
      walk = begin();
      if (view.type !== 'nothing') show({ type: 'nothing' });
      walk.start();
      return true;
    },
    take(step) {
      // The way out is never busy.
      const isBusy = view.type === 'node' && view.busy;
      walk?.take(isBusy && step.action === 'confirm' ? { action: 'cancel' } : step);
    },
    note(draft) {
      if (view.type !== 'node') return;
      const { key } = view.node;
      // A field that is read late may be one of the page before.
      if ((draft.node_key ?? key) === key) walk!.note(draft);
    },
    retry: () => walk?.retry(),
    leave() {
      const before = view;
      // Who is contacted leaves the same walk.
      if (view.type === 'contacted') isOver = false;
      if (walk) walk.leave();
      if (isOver && view === before) show({ type: 'canceled', url: urlNow() });
    },
    close() {
      const before = view;
      isHidden = false;
      walk?.close();
      if (view !== before || !(isHidden || isOver) || view.type === 'nothing') return;
      isOver = true;
      show({ type: 'nothing' });
    },
  };
}

/** A node with the addresses of its own pictures. Throws if it can't be shown, so that the customer is let go. */
function known({ key, type, config }: FlowNode, api: string): FlowNode | UnknownNode {
  const { title, heading, body = '', image, points = [], options = [] } = config as Partial<Readable>;
  if (!TYPES.includes(type)) return { key, type: 'unknown', config: typeof title === 'string' ? { title } : {} };
  for (const text of [title ?? heading, body, ...points, ...options.map(({ label }) => label)]) (text as string).trim();
  if (type === 'survey' && !options[0]) throw new TypeError(key);
  const own = image?.url.startsWith('/') ? { image: { ...image, url: api + image.url } } : {};
  return { key, type, config: { ...config, ...own } } as FlowNode;
}

/** What is read of any node. */
interface Readable {
  title: string;
  heading: string;
  body: string;
  image: Image | null;
  points: string[];
  options: { label: string }[];
}
