import { createMemory, type Memory, type MemoryOwner, type Tab } from './memory.ts';
import { type Clock, createPatience } from './patience.ts';
import { type Body, createService } from './service.ts';
import type { Alert, Branding, Draft, FetchCustomerToken, FlowNode, Result, Shown, Step } from './types.ts';

/** What the walk needs of the world, so that tests can give it another one. */
export interface World extends Clock, Tab {
  fetch: typeof fetch;
  /** A new random key of at least 16 printable ASCII characters. */
  randomKey(): string;
}

export interface WalkOptions extends Omit<MemoryOwner, 'customerToken'> {
  /** The customer's language. */
  locale?: string;
  /** Sent in place of the customer. A function is called before each start, and its time counts as the start's. */
  customerToken?: string | FetchCustomerToken;
  /** How long the customer waits at most for a start, a step, and to leave, in milliseconds. */
  limits?: readonly [start: number, step: number, leave: number];
  /** The id of a session that exists already, such as a preview. It is read, never started, and not remembered. */
  sessionId?: string;
  /**
   * Called whenever the dialog has to change. The last view is `nothing`, shortly before `onEnd`. `saved` and
   * `contacted` are different: they are shown, `onEnd` is called, and `nothing` comes when the customer closes the
   * dialog. From `contacted`, the customer may still leave. With `canceled`, the walk ends when the customer goes on,
   * or closes the dialog.
   */
  onView(view: Shown): void;
  /** Called with the branding of the workspace, before the first node. */
  onBranding(branding: Branding): void;
  /**
   * With `saved` and `contacted` as soon as the service has confirmed it, so that the host can act on it. Called once;
   * after `contacted`, it is called again with `canceled` if the customer leaves.
   */
  onEnd(end: End): void;
}

/** How the walk ended, and where the customer goes now. */
export interface End extends Result {
  /** The customer has read the last page, and closed the dialog: nobody leads them on. */
  stays?: boolean;
  /** Where the service says to cancel (http or https). The link's own address comes first. */
  cancellationUrl?: string;
}

/** One customer's walk through a flow: decides what to ask the service, and what to show. */
export interface Walk {
  /** The session, as soon as it is known. */
  sessionId(): string | undefined;
  /** Starts or resumes the session. It takes at most 2.5 s until a node is shown or the walk has ended. */
  start(): void;
  /**
   * Sends a step. While one is under way, it is ignored. `cancel` and `confirm` end the walk within 2.5 s, or show
   * within that time when the subscription ends. No other
   * step leads away, whatever fails; only a session that was canceled elsewhere ends the walk as `canceled`.
   */
  take: (step: Omit<Step, 'node_key'>) => void;
  /**
   * Keeps what the customer has entered at the node that is shown, for when the dialog is closed or the page reloaded
   * before it is sent.
   */
  note: (draft: Draft) => void;
  /** Sends the failed step again. Taking another step instead is fine as well. */
  retry: () => void;
  /**
   * The cancel link, or a second click: ends as `canceled`. With a session, the service is told first, which takes 2.5
   * s at most; meanwhile, further calls change nothing. Without one, it ends at once.
   */
  leave(): void;
  /**
   * Esc or ×: the dialog goes at once, and the session stays open; the next walk in this tab goes on with it. Ends as
   * `closed`. If `accept` or `keep` is under way, the end waits for its answer, 3 s at most, and is `saved` if
   * confirmed. If that answer comes too late, the next walk begins with the view `saved`. Ignored while the customer
   * leaves.
   */
  close(): void;
}

/** With the time that a browser needs for the page, a customer is gone in less than 3 s. */
export const LIMITS = [2500, 3000, 2500] as const;
const SLOW_MS = 400;

/**
 * `told`: the customer reads when the subscription ends. `closing`: the dialog is closed, and the answer to `accept` or
 * `keep` is still awaited.
 */
type Phase =
  'idle' | 'starting' | 'shown' | 'sending' | 'closing' | 'leaving' | 'told' | 'saved' | 'contacted' | 'over';

export function createWalk(options: WalkOptions, world: World): Walk {
  const { api, flow, locale, customer, sessionId } = options;
  const [startMs, stepMs, leaveMs] = options.limits ?? LIMITS;
  const service = createService(world.fetch, api);
  const patience = createPatience(world, () => is('starting', 'sending'));
  let token = typeof options.customerToken === 'string' ? options.customerToken : undefined;
  let tab: ReturnType<typeof createMemory> | undefined;
  let memory: Memory = {};
  let phase: Phase = 'idle';
  let node: FlowNode | undefined;
  let busy: Step | undefined;
  let failed: Step | undefined;
  let wasRestarted = false;
  let wasCanceled = false;
  let hasEnded = false;

  const is = (...phases: Phase[]) => phases.includes(phase);
  /** Whether the host has heard of the end. */
  const isDone = () => is('saved', 'contacted', 'over');

  function remember(more: Memory): void {
    memory = { ...memory, ...more };
    tab!.write(memory);
  }

  function forget(): void {
    memory = {};
    tab?.clear();
  }

  function show(alert?: Alert): void {
    options.onView({ type: 'node', node: node!, draft: memory.draft, busy, alert });
  }

  function end(
    outcome: Result['outcome'],
    reason?: string,
    accepted?: Pick<Result, 'acceptedOffer' | 'acceptUrl' | 'fulfilment'>,
    closing?: Body['closing'],
    stays?: boolean,
  ): void {
    patience.stop();
    const { session } = memory;
    const isRead = !is('closing') && (outcome === 'saved' || outcome === 'contacted');
    const isLate = hasEnded;
    hasEnded = true;
    phase = isRead || outcome === 'contacted' ? outcome : 'over';
    wasCanceled = outcome === 'canceled';
    // A session that has ended is not gone on with.
    if (outcome !== 'closed' && outcome !== 'unavailable') {
      forget();
      node = undefined;
      memory = { session };
    }
    const last: Shown = isRead ? { type: outcome, closing } : { type: 'nothing' };
    if (!isLate) tell(last);
    const cancellationUrl = service.cancellationUrl();
    options.onEnd({ outcome, reason, ...accepted, sessionId: session, cancellationUrl, stays });
    // The host has heard of an end before: its dialog tells of this one, and goes then.
    if (isLate) tell(last);
  }

  /** The host hears of the end, whether it can show it or not. */
  function tell(last: Shown): void {
    try {
      options.onView(last);
    } catch {
      // It is about to hear of it.
    }
  }

  /** Shows the session's node, or ends the dialog if the session is over. */
  function arrive({
    status,
    node: next,
    accepted_offer: acceptedOffer,
    redirect_url,
    fulfilment,
    closing,
  }: Body): void {
    if (status === 'saved' || status === 'contacted') {
      if (!acceptedOffer) return end(status, 'kept');
      return end(
        status,
        'offer_accepted',
        { acceptedOffer, acceptUrl: redirect_url ?? undefined, fulfilment },
        closing,
      );
    }
    if (is('closing')) return end('closed');
    if (status === 'canceled') return end(status);
    if (!next) return end('unavailable', 'session_ended');
    patience.stop();
    node = next;
    if (memory.draft?.node_key !== node.key) remember({ draft: undefined });
    phase = 'shown';
    busy = failed = undefined;
    show();
  }

  /** Starts a session and shows its first node. Returns why that failed. */
  async function begin(deadline: number): Promise<string | undefined> {
    const isStored = memory.key !== undefined;
    const key = memory.key ?? world.randomKey();
    // Stored before it is sent: after a reload, the same key gets the same session.
    remember({ key });
    const who = token === undefined ? { customer } : { customer_token: token };
    const { body, reason } = await patience.persist(startMs, deadline, (signal) =>
      service.start({ flow_slug: flow, locale, ...who }, key, signal),
    );
    if (is('over')) {
      if (body && wasCanceled) void service.step(body.session_id!, { action: 'cancel' }, { keepalive: true });
      return undefined;
    }
    if (isStored && reason === 'idempotency_key_reused') {
      forget();
      return begin(deadline);
    }
    if (!body) return reason;
    const { branding, entry_node } = body.flow!;
    remember({ session: body.session_id });
    if (branding) options.onBranding(branding);
    arrive({ node: entry_node });
    return undefined;
  }

  /** Asks the function of the page for the token. Returns whether it gave an answer in time. */
  async function readToken(read: FetchCustomerToken): Promise<boolean> {
    const attempt = async () => {
      token = (await read()) || undefined;
      return { reason: '', pause: NaN };
    };
    return patience.within(startMs, attempt).then(
      ({ reason }) => !reason,
      () => false,
    );
  }

  async function start(): Promise<void> {
    if (!is('idle')) return;
    phase = 'starting';
    const deadline = world.now() + startMs;
    patience.after(SLOW_MS, () => run((async () => options.onView({ type: 'starting' }))()));
    const read = options.customerToken;
    if (typeof read === 'function' && sessionId === undefined) {
      const isRead = await readToken(read);
      if (!is('starting')) return;
      if (!isRead) return end('unavailable', 'no_customer_token');
    }
    tab = createMemory(sessionId === undefined ? world : {}, { ...options, customerToken: token });
    memory = sessionId === undefined ? tab.read() : { session: sessionId };
    const { session, unconfirmed } = memory;
    if (session !== undefined) {
      const { body, reason } = await patience.persist(startMs, deadline, (signal) => service.read(session, signal));
      if (!is('starting')) return;
      if (body?.node || ((body?.status === 'saved' || body?.status === 'contacted') && unconfirmed)) {
        if (body.branding) options.onBranding(body.branding);
        return arrive(body);
      }
      if (sessionId !== undefined) return end('unavailable', body ? 'session_ended' : reason);
      if (!body && reason !== 'session_not_found') return end('unavailable', reason);
      forget();
    }
    const failure = await begin(deadline);
    if (failure) end('unavailable', failure);
  }

  async function send(step: Step): Promise<void> {
    const before = node;
    phase = 'sending';
    busy = step;
    if (stays(step)) remember({ unconfirmed: true });
    show();
    const { session } = memory;
    try {
      if (session !== undefined) {
        const attempt = (signal: AbortSignal) => service.step(session, step, { signal });
        const { body, reason } = stays(step)
          ? await patience.within(stepMs, attempt)
          : await patience.persist(stepMs, world.now() + 2 * stepMs, attempt);
        if (!is('sending', 'closing')) return;
        if (body) return arrive(body);
        if (is('closing')) return end('closed');
        const isOver = reason === 'session_not_found' || reason === 'session_expired';
        if (isOver && sessionId === undefined && !wasRestarted) forget();
        if (reason === 'session_expired' && sessionId !== undefined) return end('unavailable', 'session_ended');
      }
      if (memory.session === undefined && !(await begin(world.now() + startMs))) {
        wasRestarted = true;
        if (is('shown')) show('restarted');
        return;
      }
    } catch {
      if (isDone()) return;
      // What came can't be shown.
      node = before;
    }
    phase = 'shown';
    busy = undefined;
    failed = step;
    show(stays(step) ? 'not_confirmed' : 'not_sent');
  }

  /**
   * Tells the service that the customer cancels. The request has no signal, so it may outlive its limit and the page.
   */
  async function depart(step: Step): Promise<void> {
    patience.stop();
    const { session } = memory;
    if (session === undefined) return end('canceled');
    const isHidden = is('closing');
    patience.abort();
    phase = 'leaving';
    busy = step;
    if (node && !isHidden) show();
    else if (!isHidden) options.onView({ type: 'starting' });
    const { body } = await patience.within(leaveMs, () => service.step(session, step, { keepalive: true }));
    if (!body?.closing || body.status !== 'canceled' || isHidden) return end('canceled');
    phase = 'told';
    tab!.clear();
    options.onView({ type: 'canceled', closing: body.closing, url: service.cancellationUrl() });
  }

  function leave(): void {
    if (is('told')) end('canceled');
    else if (!is('leaving', 'saved', 'over')) run(depart({ action: 'cancel' }));
  }

  /** Even a dialog that throws lets the customer go. */
  function run(work: Promise<void>): void {
    work.catch(() => {
      if (is('told')) end('canceled');
      else if (!isDone()) end('unavailable', 'unreadable');
    });
  }

  return {
    sessionId: () => memory.session,
    start: () => run(start()),
    take(step) {
      if (step.action === 'cancel') return leave();
      if (!is('shown')) return;
      const here = { node_key: node!.key, ...step };
      run(step.action === 'confirm' ? depart(here) : send(here));
    },
    note(draft) {
      if (node) remember({ draft: { node_key: node.key, ...draft } });
    },
    retry() {
      if (is('shown') && failed) run(send(failed));
    },
    leave,
    close() {
      if (is('told')) end('canceled', undefined, undefined, undefined, true);
      else if (is('saved', 'contacted') || (is('sending') && stays(busy!) && memory.session !== undefined)) {
        phase = is('sending') ? 'closing' : 'over';
        options.onView({ type: 'nothing' });
      } else if (!is('closing', 'leaving', 'over')) end('closed');
    },
  };
}

/** Whether the step ends the session with the customer staying. */
function stays({ action }: Step): boolean {
  return action === 'accept' || action === 'keep';
}
