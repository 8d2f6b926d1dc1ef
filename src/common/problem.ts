import { STATUS_CODES } from 'node:http';

interface ProblemKind {
  status: number;
  /** One sentence for the developer who reads the answer. */
  detail: string;
  headers?: Record<string, string>;
}

const CHALLENGE = 'Bearer realm="retention-flow"';
const SOON = { 'retry-after': '1' };

/** Every error that the service answers, by its `code`. */
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
  insufficient_scope: {
    status: 403,
    detail: 'This API key may only read.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"` },
  },
  origin_not_allowed: { status: 403, detail: 'Pages of this origin may not start sessions of this workspace.' },
  session_limit_reached: { status: 403, detail: 'The workspace has started all its sessions of this month.' },
  not_found: { status: 404, detail: 'There is nothing at this path for this method and this key.' },
  flow_not_found: { status: 404, detail: 'No flow has this slug.' },
  flow_not_published: { status: 404, detail: 'The flow is not published.' },
  session_not_found: { status: 404, detail: 'No session has this id.' },
  request_timeout: { status: 408, detail: 'The request took too long to arrive.' },
  conflict: { status: 409, detail: 'Something else was stored at the same moment. Try again.', headers: SOON },
  step_conflict: {
    status: 409,
    detail: 'The session is elsewhere by now: go on from where it stands.',
  },
  payload_too_large: { status: 413, detail: 'The body is larger than this endpoint takes.' },
  unsupported_media_type: { status: 415, detail: 'Send JSON, with the header Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, detail: 'This Idempotency-Key came with another request before.' },
  too_many_requests: {
    status: 429,
    detail: 'Too many requests in a minute. Wait for the seconds of Retry-After.',
  },
  headers_too_large: { status: 431, detail: 'The headers are too large.' },
  internal_error: { status: 500, detail: 'Something went wrong on our side.' },
  not_ready: { status: 503, detail: 'Send requests elsewhere for now.', headers: SOON },
  service_unavailable: { status: 503, detail: 'The service is busy. Try again in a moment.', headers: SOON },
} as const satisfies Record<string, ProblemKind>;

/** A body can hold thousands of faults, and an answer that names them all is many times its size. */
export const MAX_FIELD_ERRORS = 100;

export type ProblemCode = keyof typeof PROBLEMS;

/** What is wrong with one field; `pointer` is a JSON Pointer (RFC 6901) into the body, or `/name` of a parameter. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** Members that some problems carry besides those of RFC 9457. */
export interface ProblemExtension {
  errors?: FieldError[];
  /** Where a widget lets the customer go when no session can start. */
  cancellation_url?: string;
  /** Where the session stands that a step does not fit. */
  session?: object;
}

/** An error that is answered to the client as it is, in the shape of RFC 9457. */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  /** @param detail a sentence that says more than the one of the code */
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

  /** The same, with the seconds after which to try again. */
  after(seconds: number): this {
    this.headers['retry-after'] = String(seconds);
    return this;
  }

  /** Input that breaks a rule, with the fields that do; of very many, the first. */
  static invalid(errors: FieldError[]): Problem {
    const [{ pointer, message }, ...others] = errors;
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    return new Problem(
      'invalid_request',
      { errors: errors.slice(0, MAX_FIELD_ERRORS) },
      `${pointer || 'The body'} ${message}${more}.`,
    );
  }

  /** The body of the answer: `application/problem+json`. */
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

/** A JSON Pointer from its parts; none is the whole body: ''. */
export function jsonPointer(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
