import { STATUS_CODES } from 'node:http';
import { type ProblemCode, type ProblemKind, PROBLEMS, TOKEN_REASONS, type TokenFault } from './problem-codes';

/** A body can have thousands of errors, and a response that lists them all would be many times its size. */
export const MAX_FIELD_ERRORS = 100;

/** A fault of one field of a body, or of a document. `pointer` is a JSON Pointer (RFC 6901) into it. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** A fault of a parameter of the query or the path; of one that has JSON, with a pointer. */
export interface ParameterError {
  parameter: string;
  message: string;
  pointer?: string;
}

/** A fault of a header. */
export interface HeaderError {
  header: string;
  message: string;
}

/** A fault of whatever a request has. */
export type InputError = FieldError | ParameterError | HeaderError;

/** The most places that a refused deletion names. */
export const MAX_USES = 20;

/** Something that is in the way of a deletion, because it shows what is to be deleted. */
export interface Use {
  type: 'flow' | 'offer';
  id: string;
  name: string;
  /** Whether its draft shows it, and not what is live. */
  is_draft: boolean;
}

/** Extension members (RFC 9457, 3.2) of some problems. */
export interface ProblemExtension {
  errors?: InputError[];
  /** The faults of a draft. */
  faults?: FieldError[];
  /** Where the widget sends a customer whose session cannot start or continue. */
  cancellation_url?: string;
  /** Why a customer token was refused. */
  reason?: keyof typeof TOKEN_REASONS;
  /** The challenge of the proof of work, with `proof_required`. */
  challenge?: string;
  /** What shows a picture, with `image_in_use`. */
  used_in?: Use[];
  /** What names an audience, with `in_use`. */
  flows?: { id: string; name: string }[];
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

  /** The place of the first fault of the input, if there is one. */
  get place(): string | undefined {
    const [first] = this.extension.errors ?? [];
    return first && placeOf(first);
  }

  /** The faults that are in fields of the body. */
  get fields(): FieldError[] {
    return (this.extension.errors ?? []).filter(
      (error): error is FieldError => !('parameter' in error) && 'pointer' in error,
    );
  }

  /** Sets `Retry-After`. */
  after(seconds: number): this {
    this.headers['retry-after'] = String(seconds);
    return this;
  }

  /** A 400 that lists what is wrong with the input, at most the first 100 faults. */
  static invalid(errors: InputError[]): Problem {
    const [first, ...others] = errors;
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    return new Problem(
      'invalid_request',
      { errors: errors.slice(0, MAX_FIELD_ERRORS) },
      `${placeOf(first) || 'The body'} ${first.message}${more}.`,
    );
  }

  /** A 400 for a parameter of the query. */
  static ofParameter(parameter: string, message: string): Problem {
    return Problem.invalid([{ parameter, message }]);
  }

  /** A 400 for a header. */
  static ofHeader(header: string, message: string): Problem {
    return Problem.invalid([{ header, message }]);
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

function placeOf(error: InputError): string {
  if ('header' in error) return error.header;
  return error.pointer ?? (error as ParameterError).parameter;
}

function isTold(reason: TokenFault): reason is keyof typeof TOKEN_REASONS {
  return reason in TOKEN_REASONS;
}
