import { STATUS_CODES } from 'node:http';

interface ProblemKind {
  status: number;
  /** One sentence for the developer who reads the response. */
  detail: string;
  headers?: Record<string, string>;
}

const CHALLENGE = 'Bearer realm="retention-flow"';
const SOON = { 'retry-after': '1' };

/** Every error that the service responds with, by its `code`. */
export const PROBLEMS = {
  invalid_request: { status: 400, detail: 'The request is malformed.' },
  unauthorized: {
    status: 401,
    detail: 'Send a key: Authorization: Bearer <API_KEY>.',
    headers: { 'www-authenticate': CHALLENGE },
  },
  invalid_token: {
    status: 401,
    detail: 'The key is unknown, expired or revoked.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  },
  invalid_customer_token: {
    status: 401,
    detail:
      'The customer token is missing, malformed, expired, for something else, or signed by no key of the workspace.',
    headers: { 'www-authenticate': 'CustomerToken realm="retention-flow"' },
  },
  insufficient_scope: {
    status: 403,
    detail: 'This API key may only read.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"` },
  },
  origin_not_allowed: { status: 403, detail: 'Pages on this origin may not start sessions in this workspace.' },
  session_limit_reached: { status: 403, detail: 'The workspace has reached its session limit for this month.' },
  not_found: { status: 404, detail: 'There is nothing at this path for this method and this key.' },
  flow_not_found: { status: 404, detail: 'No flow has this slug.' },
  flow_not_published: { status: 404, detail: 'The flow is not published.' },
  session_not_found: { status: 404, detail: 'No session has this id.' },
  request_timeout: { status: 408, detail: 'The request took too long to arrive.' },
  conflict: { status: 409, detail: 'Another request conflicted with this one. Try again.', headers: SOON },
  step_conflict: {
    status: 409,
    detail: 'The session is at another node or has ended: continue from its current state.',
  },
  webhook_limit_reached: { status: 409, detail: 'The workspace has 10 webhooks, the most it may have.' },
  customer_key_limit_reached: {
    status: 409,
    detail: 'The workspace has 10 customer keys, the most it may have.',
  },
  webhook_disabled: { status: 409, detail: 'The webhook is disabled. Enable it first.' },
  payload_too_large: { status: 413, detail: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, detail: 'Send JSON, with the header Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, detail: 'This Idempotency-Key was already used with a different request.' },
  too_many_requests: {
    status: 429,
    detail: 'Too many requests. Wait for the number of seconds in Retry-After.',
  },
  headers_too_large: { status: 431, detail: 'The headers are too large.' },
  internal_error: { status: 500, detail: 'Something went wrong on our side.' },
  not_ready: { status: 503, detail: 'Send requests elsewhere for now.', headers: SOON },
  service_unavailable: { status: 503, detail: 'The service is busy. Try again in a moment.', headers: SOON },
} as const satisfies Record<string, ProblemKind>;

/** A body can have thousands of errors, and a response that lists them all would be many times its size. */
export const MAX_FIELD_ERRORS = 100;

export type ProblemCode = keyof typeof PROBLEMS;

/** What is wrong with one field. `pointer` is a JSON Pointer (RFC 6901) into the body, or `/name` for a parameter. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** Extension members (RFC 9457, 3.2) of some problems. */
export interface ProblemExtension {
  errors?: FieldError[];
  /** Where the widget sends a customer whose session cannot start or continue. */
  cancellation_url?: string;
  /** The current state of a session, with `step_conflict`. */
  session?: object;
}

/** An error that is sent to the client as it is (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  /** @param detail replaces the default sentence of the code */
  constructor(
    readonly code: ProblemCode,
    private readonly extension: ProblemExtension = {},
    detail?: string,
  ) {
    const kind: ProblemKind = PROBLEMS[code];
    super(detail ?? kind.detail);
    this.status = kind.status;
    this.headers = { ...kind.headers };
  }

  /** Sets `Retry-After`. */
  after(seconds: number): this {
    this.headers['retry-after'] = String(seconds);
    return this;
  }

  /** A 400 that lists invalid fields, at most the first 100 of them. */
  static invalid(errors: FieldError[]): Problem {
    const [{ pointer, message }, ...others] = errors;
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    return new Problem(
      'invalid_request',
      { errors: errors.slice(0, MAX_FIELD_ERRORS) },
      `${pointer || 'The body'} ${message}${more}.`,
    );
  }

  /** The response body: `application/problem+json`. */
  body(request_id: string) {
    return {
      type: 'about:blank',
      title: STATUS_CODES[this.status]!,
      status: this.status,
      detail: this.message,
      code: this.code,
      request_id,
      ...this.extension,
    };
  }
}

/** Builds a JSON Pointer. Without parts it is '', the whole body. */
export function jsonPointer(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
