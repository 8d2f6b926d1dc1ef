import type { ErrorCode, FieldError, Session, Use } from './types.ts';

/** The members of problem details (RFC 9457) that the service sends. */
interface Problem {
  code: ErrorCode;
  detail: string;
  request_id: string;
  errors?: FieldError[];
  faults?: FieldError[];
  used_in?: Use[];
  flows?: { id: string; name: string }[];
  cancellation_url?: string;
  session?: Session;
}

/** The service refused the request. The message is for developers; programs read `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error. It never changes, the message may. */
  readonly code: ErrorCode;
  /** What is wrong with each field of the input. Empty with other codes than `invalid_request`. */
  readonly errors: FieldError[];
  /** What is wrong with a draft. Empty with other codes than `draft_has_faults`. */
  readonly faults: FieldError[];
  /** What shows a picture that is to be deleted. Empty with other codes than `image_in_use`. */
  readonly usedIn: Use[];
  /** The flows that name an audience that is to be deleted. Empty with other codes than `in_use`. */
  readonly flows: { id: string; name: string }[];
  /** The id of the request in the service's log. */
  readonly requestId?: string;
  /** After how many seconds to try again. */
  readonly retryAfter?: number;
  /** Where to send a customer whose session cannot start or continue. */
  readonly cancellationUrl?: string;
  /** Where the session stands, with `step_conflict` and `offer_not_available`. */
  readonly session?: Session;

  /** @param text the body of the answer */
  constructor({ status, headers }: Response, text: string) {
    const problem = problemIn(text);
    const type = headers.get('content-type') ?? 'nothing';
    super(problem?.detail ?? `The answer is not the service's: ${status} with ${type}`);
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.errors = problem?.errors ?? [];
    this.faults = problem?.faults ?? [];
    this.usedIn = problem?.used_in ?? [];
    this.flows = problem?.flows ?? [];
    this.requestId = problem?.request_id ?? headers.get('request-id') ?? undefined;
    this.retryAfter = retryAfter(headers);
    this.cancellationUrl = problem?.cancellation_url;
    this.session = problem?.session;
  }
}

/** There was no answer: no connection, one that broke, or none in time. Its `cause` is what fetch threw. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The seconds of the header Retry-After, which has them or a date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function problemIn(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as Problem) : undefined;
  } catch {
    return undefined;
  }
}
