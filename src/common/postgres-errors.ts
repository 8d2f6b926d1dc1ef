import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { Problem } from './problem';

/** SQLSTATE classes and codes that mean "not now": the same request may succeed in a moment. */
const PASSING = /^(08...|53...|57014|57P0[1-5]|55P03|25P0[34]|40001|40P01)$/;
/** What Node and the pool say of a connection that is refused, lost, or not to be had in time. */
const CONNECTION_LOST =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$|connection terminated|timeout expired|timeout exceeded when trying to connect|query read timeout|is not queryable/i;

const RETRYABLE = new Set(['40001', '40P01']);

/** What the driver said: TypeORM wraps its errors, but not those of statements that are sent without it. */
function causeOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** The SQLSTATE of a failed query (PostgreSQL manual, appendix A), or undefined where Postgres gave none. */
function sqlState(error: unknown): string | undefined {
  const cause = causeOf(error);
  return cause instanceof DatabaseError ? cause.code : undefined;
}

/** Serialisation failures and deadlocks: the transaction did nothing and may be tried again at once. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '');
}

/**
 * Whether Postgres refused a statement or the commit, which undoes the transaction. When a connection ends instead, nobody
 * knows.
 */
export function isRefusal(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !/^(08|57P)/.test(state);
}

/** What a client is told of a database error, or undefined where it is a defect of ours. */
export function problemOfPostgres(error: unknown): Problem | undefined {
  const state = sqlState(error);
  if (state) {
    if (PASSING.test(state)) return new Problem('service_unavailable');
    if (state === '23505') return new Problem('conflict');
    return undefined;
  }
  // TypeORM lets go of a connection as soon as it is lost, and its transaction finds none for the next statement.
  if (error instanceof QueryRunnerAlreadyReleasedError) return new Problem('service_unavailable');
  const cause = causeOf(error);
  if (!(cause instanceof Error)) return undefined;
  const { code, message } = cause as NodeJS.ErrnoException;
  return CONNECTION_LOST.test(String(code)) || CONNECTION_LOST.test(message)
    ? new Problem('service_unavailable')
    : undefined;
}
