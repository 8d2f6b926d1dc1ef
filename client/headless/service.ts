import type { Session } from '../src/types.ts';
import type { AcceptedOffer, Branding, FlowNode, Result, Step } from './types.ts';
import { warn } from './warn.ts';

/** The fields that are read of a body. A proxy may have sent anything, so each is checked before it is used. */
export interface Body {
  session_id?: string;
  flow?: { branding?: Branding; entry_node?: FlowNode };
  /** Of a session that is read. */
  branding?: Branding;
  status?: unknown;
  node?: FlowNode | null;
  accepted_offer?: AcceptedOffer | null;
  redirect_url?: string | null;
  fulfilment?: Result['fulfilment'];
  closing?: Session['closing'];
  cancellation_url?: string;
  code?: string;
  /** What of the customer token was left out. */
  warnings?: unknown;
  /** With the problems `step_conflict` and `offer_not_available`: the state of the session. */
  session?: Body;
}

/** What came of a request. */
export interface Answer {
  /** What was asked for; for a step also the session in the problems `step_conflict` and `offer_not_available`. */
  body?: Body;
  /** Without a body: the code of the problem, or `network`, `timeout`, `unreadable`. */
  reason: string;
  /** How many milliseconds to wait before the request is tried again; NaN if that would not help. */
  pause: number;
}

/** The least time between two tries. */
export const PAUSE_MS = 250;

/** The runtime interface of the service. Its functions never throw. */
export function createService(fetch: typeof globalThis.fetch, api: string) {
  let cancellationUrl: string | undefined;

  async function ask(path: string, init: RequestInit): Promise<Answer> {
    try {
      const response = await fetch(`${api}/api/v1/runtime/session/${path}`, { ...init, credentials: 'omit' });
      const { ok, status } = response;
      const body = Object(await response.json().catch(() => undefined)) as Body;
      const retryAfter = response.headers.get('retry-after');
      if (body.warnings) warn(`claims of the customer token are not read: ${JSON.stringify(body.warnings)}`);
      const canceled = [body, body.session].find((one) => one?.status === 'canceled');
      cancellationUrl = [canceled?.redirect_url, body.cancellation_url].find(isWebUrl) ?? cancellationUrl;
      return {
        body: ok || status === 409 ? [body, body.session].find(isSession) : undefined,
        reason: typeof body.code === 'string' ? body.code : 'unreadable',
        pause: ok || isTransient(status, retryAfter) ? Math.max(PAUSE_MS, Number(retryAfter) * 1000) : NaN,
      };
    } catch {
      // Or the page has a `fetch` of its own, which resolves with something else.
      return { reason: 'network', pause: PAUSE_MS };
    }
  }

  const post = (path: string, body: object, init: RequestInit) =>
    ask(path, {
      ...init,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...init.headers },
      body: JSON.stringify(body),
    });

  return {
    start: (request: object, key: string, signal: AbortSignal) =>
      post('init', request, { headers: { 'idempotency-key': key }, signal }),
    read: (session: string, signal: AbortSignal) => ask(encodeURIComponent(session), { signal }),
    step: (session: string, step: Step, init: RequestInit) => post(`${encodeURIComponent(session)}/step`, step, init),
    /** Where to cancel, as the service last said; http or https. */
    cancellationUrl: () => cancellationUrl,
  };
}

/** A session that was started, or where one stands. Any type of node will do, also one that came after this widget. */
function isSession(body: Body | undefined): body is Body {
  if (typeof body?.session_id !== 'string') return false;
  const { status, flow, node = flow?.entry_node } = body;
  const isOver = ['saved', 'contacted', 'canceled', 'abandoned'].includes(status as string);
  return isOver || (typeof node?.key === 'string' && Object(node.config) === node.config);
}

export function isWebUrl(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url);
}

/** A 429 without Retry-After does not say when to come back, so it is not tried again. */
function isTransient(status: number, retryAfter: string | null): boolean {
  return status >= 500 || status === 408 || (status === 429 && retryAfter !== null);
}
