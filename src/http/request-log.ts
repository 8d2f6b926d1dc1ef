import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';
import { destination } from 'pino';

/** Who sent a request, as far as is found out on the way; the log tells it. */
export interface Caller {
  workspaceId?: string;
}

/** Where the lines of the log go. */
export interface LogStream {
  write(line: string): void;
}

/** The log: lines of JSON, in which nothing that a client sends can begin a new one. It goes to stdout unless told. */
export function loggerOptions(level: string, stream: LogStream = stdout()): FastifyServerOptions['logger'] {
  return { level, stream, base: undefined, serializers: { err: describe } };
}

/**
 * Lines are written some at a time, and by nobody who answers requests: whoever reads them may be slow, or stop. A line
 * waits for 100 ms at most, and all are written at the end. When 8 MiB are waiting, further ones are dropped.
 */
function stdout(): LogStream {
  return destination({ sync: false, minLength: 4096, periodicFlush: 100, maxLength: 8 * 1024 * 1024 });
}

/** One line for each request. Bodies, keys, queries and whatever stands in a path (a session's id is a secret) stay out. */
export class RequestLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });
  }

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest & Caller, reply: FastifyReply): void {
    const { method, routeOptions, workspaceId: workspace } = request;
    const { statusCode: status, elapsedTime } = reply;
    const ms = Math.round(elapsedTime * 10) / 10;
    request.log.info({ method, route: routeOptions.url, status, ms, workspace }, 'request');
  }
}

/** Of a failed query neither its parameters nor the row that Postgres complains of: they are what clients sent. */
function describe(error: Error & { code?: string; driverError?: { code?: string } }) {
  const { name: type, message, stack = '', code, driverError } = error;
  return { type, message, code: code ?? driverError?.code, stack };
}
