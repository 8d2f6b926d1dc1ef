import type { BodyError, ErrorCode, FieldError, Session, Use } from './types.ts';

/** The members of problem details (RFC 9457) that the service sends. */
interface Problem {
  code: ErrorCode;
  detail: string;
  request_id: string;
  errors?: FieldError[];
  faults?: BodyError[];
  used_in?: Use[];
  flows?: { id: string; name: string }[];
  cancellation_url?: string;
  session?: Session;
}

/** As much as is read of a Response. */
interface Refusal {
  status: number;
  headers: { get(name: string): string | null };
}

/** The codes that come with where the session stands. */
type SessionCode = 'step_conflict' | 'offer_not_available';

/**
 * The service refused the request. The message is for developers; programs read `code`, which says what else there is.
 */
export type ApiError = ServiceError &
  ({ readonly code: SessionCode; readonly session: Session } | { readonly code: Exclude<ErrorCode, SessionCode> });

class ServiceError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error. It never changes, the message may. */
  readonly code: ErrorCode;
  /** What is wrong with each field of the input. Empty with other codes than `invalid_request` and `slug_taken`. */
  readonly errors: FieldError[];
  /** Those of `errors` that are in fields of the body. */
  readonly fields: BodyError[];
  /** What is wrong with a draft. Empty with other codes than `draft_has_faults`. */
  readonly faults: BodyError[];
  /** What shows a picture that is to be deleted. Empty with other codes than `image_in_use`. */
  readonly usedIn: Use[];
  /** The flows that name an audience that is to be deleted. Empty with other codes than `in_use`. */
  readonly flows: { id: string; name: string }[];
  /** The id of the request in the service's log. */
  readonly requestId?: string;
  /** After how many seconds to try again. */
  readonly retryAfter?: number;
  /** Where to send a customer whose session cannot start or continue: that of the client, or else of the flow. */
  readonly cancellationUrl?: string;
  /** Where the session stands, with `step_conflict` and `offer_not_available`. */
  readonly session?: Session;

  /** @param text the body of the answer */
  constructor({ status, headers }: Refusal, text: string, cancellationUrl?: string) {
    const problem = problemIn(text);
    const type = headers.get('content-type') ?? 'nothing';
    super(problem?.detail ?? `The answer is not the service's: ${status} with ${type}`);
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.errors = problem?.errors ?? [];
    this.fields = this.errors.filter((error): error is BodyError => !('parameter' in error || 'header' in error));
    this.faults = problem?.faults ?? [];
    this.usedIn = problem?.used_in ?? [];
    this.flows = problem?.flows ?? [];
    this.requestId = problem?.request_id ?? headers.get('request-id') ?? undefined;
    this.retryAfter = retryAfter(headers);
    this.cancellationUrl = cancellationUrl ?? problem?.cancellation_url;
    this.session = problem?.session;
  }
}

export const ApiError = ServiceError as {
  new (response: Refusal, text: string, cancellationUrl?: string): ApiError;
  readonly prototype: ApiError;
};

/** There was no answer: no connection, one that broke, or none in time. Its `cause` is what fetch threw. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Where to send a customer whose session cannot start or continue: that of the client. */
  cancellationUrl?: string;
}

/** The seconds of the header Retry-After, which has them or a date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Refusal['headers']): number | undefined {
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
