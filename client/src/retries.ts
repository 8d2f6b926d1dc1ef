import { ConnectionError, retryAfter } from './errors.ts';

/** How requests are sent and tried again. */
export interface Patience {
  fetch: typeof fetch;
  /** Milliseconds that each attempt may take, its body included; of a file, its beginning. */
  timeout: number;
  /** How many attempts may follow the first. */
  retries: number;
  /** Milliseconds that all attempts and pauses may take; without it, as many as they need. */
  within?: number;
}

/** The service has done nothing: a request may be sent again, whatever it asks for. */
const REFUSED = [408, 429];
/** The service or a proxy failed on the way, and may have done what was asked. */
const FAILED = [500, 502, 503, 504];

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** A longer Retry-After is left to the caller, who gets the error at once. */
const LONGEST_RETRY_AFTER = 60;

/**
 * Sends a request until it is answered, with pauses in between. An answer that has been read fully is a Response,
 * whatever its status, and so is a file that has begun; without one it throws.
 *
 * @param repeatable whether the request has no further effect when it is sent again
 * @param signal ends the attempt and the pauses at once
 */
export async function send(
  request: Request,
  patience: Patience,
  repeatable: boolean,
  signal?: AbortSignal,
): Promise<Response> {
  const end = Date.now() + (patience.within ?? Infinity);
  for (let attempt = 0; ; attempt++) {
    const timeout = Math.min(patience.timeout, end - Date.now());
    const outcome = await attemptOnce(request, { ...patience, timeout }, signal);
    const isFailure = outcome instanceof ConnectionError;
    const wait = isFailure ? 0 : (retryAfter(outcome.headers) ?? 0);
    // At random up to the pause, so that clients that failed together do not return together.
    const rest = wait * 1000 + Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
    const isLast = attempt >= patience.retries || Date.now() + rest >= end;
    if (isLast || wait > LONGEST_RETRY_AFTER || !mayTryAgain(outcome, repeatable)) {
      if (isFailure) throw outcome;
      return outcome;
    }
    await pause(rest, signal);
  }
}

function mayTryAgain(outcome: Response | ConnectionError, repeatable: boolean): boolean {
  if (outcome instanceof ConnectionError) return repeatable;
  const { status, headers } = outcome;
  // Of conflicts, the service sends Retry-After only with one between two requests, which did nothing.
  if (REFUSED.includes(status) || (status === 409 && headers.has('retry-after'))) return true;
  return repeatable && FAILED.includes(status);
}

/** An answer, or why there is none. Throws only what the caller's signal says. */
async function attemptOnce(
  request: Request,
  { fetch, timeout }: Patience,
  signal?: AbortSignal,
): Promise<Response | ConnectionError> {
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const cancel = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', cancel);
  const timer = setTimeout(() => attempt.abort(new Error(`none within ${timeout} ms`)), timeout);
  let isFile = false;
  try {
    const response = await fetch(request.clone(), { signal: attempt.signal });
    // All that a browser tells of a redirect that is not followed.
    if (response.type === 'opaqueredirect') return new Response(null, { status: 302 });
    // A file may be large: the caller reads it, and may end it with the signal.
    isFile = response.ok && isCsv(response);
    if (isFile) return response;
    // Read here, because the body may hang or break, too.
    const text = await response.text();
    if (isJson(response)) JSON.parse(text);
    return new Response(text || null, response);
  } catch (cause) {
    signal?.throwIfAborted();
    return new ConnectionError(`No answer from ${new URL(request.url).origin}: ${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
    if (!isFile) signal?.removeEventListener('abort', cancel);
  }
}

export const isJson = (response: Response): boolean => hasType('application/json', response);

export const isCsv = (response: Response): boolean => hasType('text/csv', response);

function hasType(type: string, { headers }: Response): boolean {
  return (headers.get('content-type') ?? '').split(';')[0] === type;
}

/** Node's fetch says "fetch failed" and keeps the reason in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? error) as Error & { code?: string };
  return message || code || error.message;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
