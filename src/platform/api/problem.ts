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
    detail: 'Send a key: Authorization: Bearer <API_KEY>. Or sign in.',
    headers: { 'www-authenticate': CHALLENGE },
  },
  invalid_token: {
    status: 401,
    detail: 'The key or the session is unknown, expired or revoked.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  },
  invalid_customer_token: {
    status: 401,
    detail: 'The customer token is malformed, or no key of the workspace signed it.',
    headers: { 'www-authenticate': 'CustomerToken realm="retention-flow"' },
  },
  wrong_credentials: {
    status: 401,
    detail: 'The e-mail address or the password is wrong.',
    headers: { 'www-authenticate': 'Password realm="retention-flow"' },
  },
  insufficient_scope: {
    status: 403,
    detail: 'This API key may only read.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="write"` },
  },
  insufficient_role: { status: 403, detail: 'Your role in the workspace does not allow this.' },
  person_required: { status: 403, detail: 'Only a person who is signed in may do this, no API key.' },
  cross_site: { status: 403, detail: 'A cookie is good for changes only from a page of this service.' },
  another_person: {
    status: 403,
    detail: 'The cookie is not of the person whom `Person-Id` names: somebody else has signed in with this browser.',
  },
  passwords_off: { status: 403, detail: 'People sign in here with OpenID Connect only.' },
  origin_not_allowed: { status: 403, detail: 'Pages on this origin may not start sessions in this workspace.' },
  session_limit_reached: { status: 403, detail: 'The workspace has reached its session limit for this month.' },
  not_found: { status: 404, detail: 'There is nothing at this path, or nothing that this key may see.' },
  flow_not_found: { status: 404, detail: 'No flow has this slug.' },
  flow_not_published: { status: 404, detail: 'The flow is not published.' },
  exit_not_found: { status: 404, detail: 'No flow with this slug has an exit page.' },
  session_not_found: { status: 404, detail: 'No session has this id.' },
  link_not_found: { status: 404, detail: 'The link was used, has expired or was replaced by another.' },
  method_not_allowed: { status: 405, detail: 'This path does not take this method. It takes those in `Allow`.' },
  request_timeout: { status: 408, detail: 'The request took too long to arrive.' },
  conflict: { status: 409, detail: 'Another request conflicted with this one. Try again.', headers: SOON },
  step_conflict: {
    status: 409,
    detail: 'The session is at another node or has ended: continue from its current state.',
  },
  offer_not_available: {
    status: 409,
    detail: 'The customer has accepted this offer as often as its limit allows: continue from the node of `session`.',
  },
  session_expired: { status: 409, detail: 'The session began more than 24 hours ago. It takes no more steps.' },
  outcome_id_reused: { status: 409, detail: 'This id was reported with another outcome.' },
  api_key_limit_reached: { status: 409, detail: 'The workspace has 50 API keys in use, the most it may have.' },
  flow_limit_reached: {
    status: 409,
    detail: 'The workspace has 10,000 flows, archived ones included, the most it may have.',
  },
  offer_limit_reached: {
    status: 409,
    detail: 'The workspace has 10,000 offers, archived ones included, the most it may have.',
  },
  key_taken: { status: 409, detail: 'Another thing of the workspace has this key.' },
  slug_taken: { status: 409, detail: 'Another flow of the service has this slug.' },
  config_too_large: {
    status: 409,
    detail: 'The workspace is too large for a document: it has more than 10,000 things, or they take more than 8 MiB.',
  },
  too_many_sessions: {
    status: 409,
    detail: 'These sessions could not be counted within 30 s. Ask for fewer days, or for one flow.',
  },
  version_limit_reached: {
    status: 409,
    detail:
      'The flow has 1,000 versions, the most it may have. Create a new flow with its content, and archive this one.',
  },
  workspace_version_limit_reached: {
    status: 409,
    detail: 'The flows of the workspace have 20,000 versions together, the most they may have.',
  },
  draft_has_faults: { status: 409, detail: 'The draft has faults: customers could not walk through it.' },
  version_changed: { status: 409, detail: 'Another version of the flow went live after the draft was begun.' },
  last_owner: { status: 409, detail: 'The workspace would have no owner any more.' },
  address_limit_reached: {
    status: 409,
    detail: 'Five people of other workspaces have this address, the most there may be while nobody has proved it.',
  },
  already_member: { status: 409, detail: 'The person with this address is in the workspace already.' },
  people_limit_reached: {
    status: 409,
    detail: 'The workspace has 500 people and open invitations, the most it may have.',
  },
  person_in_other_workspaces: {
    status: 409,
    detail: 'The person is in another workspace, too, so no owner of this one may sign in as them.',
  },
  webhook_limit_reached: { status: 409, detail: 'The workspace has 10 webhooks, the most it may have.' },
  customer_key_limit_reached: {
    status: 409,
    detail: 'The workspace has 10 customer keys, the most it may have.',
  },
  encryption_key_missing: {
    status: 409,
    detail: 'The operator has to set ENCRYPTION_KEY first: secrets of billing systems are stored encrypted only.',
  },
  billing_refused: { status: 409, detail: 'The billing system refused the key.' },
  nothing_to_fulfil: {
    status: 409,
    detail: 'The billing system has nothing to do for this session, is doing it, or has done it.',
  },
  webhook_disabled: { status: 409, detail: 'The webhook is disabled. Enable it first.' },
  sends_nothing: { status: 409, detail: 'This service is a copy that sends nothing (SEND_NOTHING=true).' },
  changed_meanwhile: { status: 412, detail: 'It was changed after you read it: its ETag is not the one in If-Match.' },
  payload_too_large: { status: 413, detail: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, detail: 'Send JSON, with the header Content-Type: application/json.' },
  idempotency_key_reused: { status: 422, detail: 'This Idempotency-Key was already used with a different request.' },
  proof_required: {
    status: 429,
    detail:
      'Too many declarations came within an hour, from this address or at this flow. Send this one again with a `proof` of work.',
  },
  too_many_requests: {
    status: 429,
    detail: 'Too many requests. Wait for the number of seconds in Retry-After.',
  },
  headers_too_large: { status: 431, detail: 'The headers are too large.' },
  internal_error: { status: 500, detail: 'Something went wrong on our side.' },
  not_ready: { status: 503, detail: 'Send requests elsewhere for now.', headers: SOON },
  service_unavailable: { status: 503, detail: 'The service is busy. Try again in a moment.', headers: SOON },
} as const satisfies Record<string, ProblemKind>;

/**
 * Details of a refused customer token, by `reason`: only what the holder of a token can read in it,
 * and nothing of a token that no key of the workspace signed.
 */
export const TOKEN_REASONS = {
  missing: 'The workspace requires a customer token, and the request has none.',
  wrong_type: 'The header typ of the customer token must be retention-customer+jwt.',
  wrong_audience: 'The claim aud of the customer token must be the id of the workspace.',
  not_yet_valid: 'The customer token is not valid yet.',
  expired: 'The customer token has expired.',
  wrong_lifetime: 'The claim exp of the customer token must be later than iat, by an hour at most.',
  wrong_flow: 'The customer token is for another flow.',
  invalid_claims:
    'A claim of the customer token is missing or invalid: sub, email, attributes and subscription have the rules of id, email, ' +
    'attributes and subscription of a customer, iat and exp are numbers.',
};

/** Why a customer token is refused. Those that have no sentence are for the log only. */
export type TokenFault = keyof typeof TOKEN_REASONS | 'malformed' | 'unknown_key' | 'wrong_signature';

/** A body can have thousands of errors, and a response that lists them all would be many times its size. */
export const MAX_FIELD_ERRORS = 100;

export type ProblemCode = keyof typeof PROBLEMS;

/** A fault of one field. `pointer` is a JSON Pointer (RFC 6901) into the body, or `/name` for a parameter. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** Extension members (RFC 9457, 3.2) of some problems. */
export interface ProblemExtension {
  errors?: FieldError[];
  /** The faults of a draft. */
  faults?: FieldError[];
  /** Where the widget sends a customer whose session cannot start or continue. */
  cancellation_url?: string;
  /** Why a customer token was refused. */
  reason?: keyof typeof TOKEN_REASONS;
  /** The challenge of the proof of work, with `proof_required`. */
  challenge?: string;
  /** The current state of a session, with `step_conflict` and `offer_not_available`. */
  session?: object;
}

/** An error that is sent to the client as it is (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** For the log: why a customer token is refused, although the response may not say it. */
  reason?: TokenFault;

  /** @param detail replaces the default sentence of the code */
  constructor(
    readonly code: ProblemCode,
    readonly extension: ProblemExtension = {},
    detail?: string,
  ) {
    const kind: ProblemKind = PROBLEMS[code];
    super(detail ?? kind.detail);
    this.status = kind.status;
    this.headers = { ...kind.headers };
  }

  /** The first invalid field, if there is one. */
  get pointer(): string | undefined {
    return this.extension.errors?.[0].pointer;
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

  /** A 401 that says what is wrong with a customer token, unless that is for the log only. */
  static refusedToken(reason: TokenFault, extension: ProblemExtension): Problem {
    const detail = isTold(reason) ? TOKEN_REASONS[reason] : undefined;
    const told = isTold(reason) ? { ...extension, reason } : extension;
    return Object.assign(new Problem('invalid_customer_token', told, detail), { reason });
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

function isTold(reason: TokenFault): reason is keyof typeof TOKEN_REASONS {
  return reason in TOKEN_REASONS;
}
