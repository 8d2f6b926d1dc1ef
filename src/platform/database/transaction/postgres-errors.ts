import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { Problem } from '../../api/problems/problem';

/**
 * Another statement was in the way, or this one asked for too much. The next may succeed (PostgreSQL manual, appendix
 * A).
 */
const STATEMENT_IN_THE_WAY = /^(40001|40P01|53400|55P03|57014)$/;
/** The server ends the connection, or is read-only: the next statement belongs on another connection. */
const CONNECTION_SPENT = /^(08(?!P01)\w{3}|25006|25P0[34]|57P\w\w)$/;
/**
 * The server can't do what it could before: it no longer lets the role in (28, 3D, 55; a pooler may say so late), lacks
 * a privilege (42501, also on a disk that became read-only), lacks disk, memory or connections (53), or fails to read
 * and write its files (58). Damaged data (XX001, XX002) is not in the list, because an engineer has to see that error.
 */
const SERVER_IN_TROUBLE = /^(28\w{3}|3D000|42501|53[0-3]\w\w|55000|55006|58\w{3})$/;
const UNIQUE_VIOLATION = '23505';
/** What a row refers to was deleted meanwhile, or something came meanwhile that refers to it. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Text that can't be stored: a NUL, or what is no UTF-8. It is refused where it is read, so this is the last net. */
const NO_TEXT = /^22(021|P05)$/;
const INTERNAL_ERROR = 'XX000';
/**
 * A server that goes down may report it as an internal error. So does a coordinator that passes on the errors of its
 * workers.
 */
const GOING_DOWN = /terminating connection|postmaster (was shut down|exit)/i;
/** Postgres has no code for some reasons why a file can't be written, such as a quota. */
const FILE_FAILS = /could not (extend|write|flush|fsync|read|open) file/i;
/**
 * Citus passes on some errors of its workers as internal errors. The message ends with the name of a constraint and a
 * number.
 */
const DUPLICATE_KEY = /duplicate key value violates unique constraint/i;
const LOCK_TIMEOUT = /canceling statement due to lock timeout/i;

/** Node's codes for a connection that is refused, lost, or can't be made from this machine. */
const NETWORK =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|E[MN]FILE|ENOBUFS)$/;
/** pg's messages for a connection that is refused, lost, or not available in time; `connect E…` is a Unix socket. */
const CONNECTION_LOST =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|query read timeout|is not queryable|^connect E/i;

const RETRYABLE = new Set(['40001', '40P01']);

/** The error of the driver. TypeORM wraps errors of its own statements only. */
function causeOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

function databaseErrorIn(error: unknown): DatabaseError | undefined {
  const cause = causeOf(error);
  return cause instanceof DatabaseError ? cause : undefined;
}

/** The SQLSTATE of a failed query; undefined if the error is not from Postgres. */
export function sqlState(error: unknown): string | undefined {
  const { code, message = '' } = databaseErrorIn(error) ?? {};
  if (code === INTERNAL_ERROR && DUPLICATE_KEY.test(message)) return UNIQUE_VIOLATION;
  if (code === INTERNAL_ERROR && LOCK_TIMEOUT.test(message)) return '55P03';
  return code;
}

/** Serialization failures and deadlocks: the transaction did nothing and may be tried again at once. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '');
}

/** Whether the connection that reported the error can't be used any more. */
export function endsConnection(error: unknown): boolean {
  const said = databaseErrorIn(error);
  if (!said) return isLoss(error);
  const { code = '', message, severity, routine } = said;
  // PgBouncer ends connections with 08P01 for every reason. Postgres' own 08P01 names a routine in its source.
  if (code === '08P01') return severity === 'FATAL' && routine === undefined;
  return CONNECTION_SPENT.test(code) || (code === INTERNAL_ERROR && GOING_DOWN.test(message));
}

/**
 * Whether an error is about the server or the way to it, not about one statement: others would fail in the same way.
 */
export function isOfServer(error: unknown): boolean {
  const { code = '', message = '' } = databaseErrorIn(error) ?? {};
  const fails = SERVER_IN_TROUBLE.test(code) || (code === INTERNAL_ERROR && FILE_FAILS.test(message));
  return fails || endsConnection(error);
}

/** Whether a statement was given up because it took too long. Its connection is lost, and others may go on. */
export function isReadTimeout(error: unknown): boolean {
  return causeOf(error) instanceof Error && (causeOf(error) as Error).message === 'Query read timeout';
}

/** The problem that a client gets for a database error; undefined for a defect of ours. */
export function problemOfPostgres(error: unknown): Problem | undefined {
  const state = sqlState(error);
  if (isOfServer(error) || STATEMENT_IN_THE_WAY.test(state ?? '')) return new Problem('service_unavailable');
  if (NO_TEXT.test(state ?? '')) return new Problem('invalid_request');
  return state === UNIQUE_VIOLATION || state === FOREIGN_KEY_VIOLATION ? new Problem('conflict') : undefined;
}

function isLoss(error: unknown): boolean {
  // TypeORM releases a lost connection at once, so the next statement of its transaction has none.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const cause = causeOf(error);
  if (!(cause instanceof Error)) return false;
  const { code, message } = cause as NodeJS.ErrnoException;
  return NETWORK.test(String(code)) || CONNECTION_LOST.test(message);
}
