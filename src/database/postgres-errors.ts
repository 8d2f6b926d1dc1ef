import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { Problem } from '../common/problem';

/** Another statement was in the way, or this one asked for too much; the next may succeed (PostgreSQL manual, appendix A). */
const STATEMENT_IN_THE_WAY = /^(40001|40P01|53400|55P03|57014)$/;
/** The server ends the connection, or is one that only reads: the next statement belongs on another connection. */
const CONNECTION_SPENT = /^(08(?!P01)\w{3}|25006|25P0[34]|57P\w\w)$/;
/**
 * The server can't do what it could before: it lets the role or anybody no longer in (28, 3D, 55; a pooler says so late,
 * too), may not do it (42501, also for a disk that has become read-only), lacks disk, memory or connections (53), or fails
 * to read and write its files (58). Not among them are damaged data (XX001, XX002): somebody has to hear of those.
 */
const SERVER_IN_TROUBLE = /^(28\w{3}|3D000|42501|53[0-3]\w\w|55000|55006|58\w{3})$/;
const INTERNAL_ERROR = 'XX000';
/** A server that goes down may say so as an internal error, and one that stands before others passes their words on so. */
const GOING_DOWN = /terminating connection|postmaster (was shut down|exit)/i;
/** Nor has Postgres a code for each reason why a file can't be written; a quota that is used up has none. */
const FILE_FAILS = /could not (extend|write|flush|fsync|read|open) file/i;

/** What Node says of a connection that is refused, lost, or can't be made from this machine. */
const NETWORK =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|E[MN]FILE|ENOBUFS)$/;
/** What pg says of a connection that is refused, lost, or not to be had in time; `connect E…` is a socket of this machine. */
const CONNECTION_LOST =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|query read timeout|is not queryable|^connect E/i;

const RETRYABLE = new Set(['40001', '40P01']);

/** What the driver said: TypeORM wraps its errors, but not those of statements that are sent without it. */
function causeOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

function saidByPostgres(error: unknown): DatabaseError | undefined {
  const cause = causeOf(error);
  return cause instanceof DatabaseError ? cause : undefined;
}

/** The SQLSTATE of a failed query, or undefined where Postgres gave none. */
export function sqlState(error: unknown): string | undefined {
  return saidByPostgres(error)?.code;
}

/** Serialisation failures and deadlocks: the transaction did nothing and may be tried again at once. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '');
}

/** Whether the connection that an error came on is of no more use. */
export function endsConnection(error: unknown): boolean {
  const said = saidByPostgres(error);
  if (!said) return isLoss(error);
  const { code = '', message, severity, routine } = said;
  // PgBouncer ends connections with 08P01 whatever the reason, and Postgres names the place in its source.
  if (code === '08P01') return severity === 'FATAL' && routine === undefined;
  return CONNECTION_SPENT.test(code) || (code === INTERNAL_ERROR && GOING_DOWN.test(message));
}

/** Whether an error speaks of the server, or the way to it, rather than of one statement: all others would fail alike. */
export function isOfServer(error: unknown): boolean {
  const { code = '', message = '' } = saidByPostgres(error) ?? {};
  const fails = SERVER_IN_TROUBLE.test(code) || (code === INTERNAL_ERROR && FILE_FAILS.test(message));
  return fails || endsConnection(error);
}

/**
 * Whether Postgres refused this one statement, or its commit, which undoes the transaction. Of one that meets a server in
 * trouble nobody may know what became, and its neighbours would fare no better.
 */
export function isRefusal(error: unknown): boolean {
  return sqlState(error) !== undefined && !isOfServer(error);
}

/** What a client is told of a database error, or undefined where it is a defect of ours. */
export function problemOfPostgres(error: unknown): Problem | undefined {
  const state = sqlState(error);
  if (isOfServer(error) || STATEMENT_IN_THE_WAY.test(state ?? '')) return new Problem('service_unavailable');
  return state === '23505' ? new Problem('conflict') : undefined;
}

function isLoss(error: unknown): boolean {
  // TypeORM lets go of a connection as soon as it is lost, and its transaction finds none for the next statement.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  const cause = causeOf(error);
  if (!(cause instanceof Error)) return false;
  const { code, message } = cause as NodeJS.ErrnoException;
  return NETWORK.test(String(code)) || CONNECTION_LOST.test(message);
}
