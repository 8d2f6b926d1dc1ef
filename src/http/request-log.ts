import type { LoggerService } from '@nestjs/common';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { pino } from 'pino';
import { Output } from './output';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant: the workspace that the request is about. `Authentication` or `TenantGuard` sets it, and the log names it. */
    workspaceId?: string;
  }
}

/** Where the lines of the log go. */
export interface LogStream {
  write(line: string): void;
}

/** The log: lines of JSON, which no input of a client can break. It goes to stdout by default. */
export function loggerOptions(level: string, stream: LogStream = new Output()): FastifyServerOptions['logger'] {
  return { level, stream, base: undefined, serializers: { err: describe } };
}

/** Prints a message for the operator. */
export type Notify = (text: string, fields?: object) => void;

/** Prints text in a terminal, and elsewhere a line of the log, at any log level. Flushed at once. */
export function notifyOn(output: Pick<Output, 'isTerminal' | 'write' | 'flush'>): Notify {
  const log = pino({ base: undefined }, output);
  return (text, fields) => {
    if (output.isTerminal) output.write(`${text}\n`);
    else log.info(fields, text.trim());
    output.flush();
  };
}

/** Writes warnings and errors of Nest and the services to the log. */
export class FrameworkLog implements LoggerService {
  constructor(private readonly logger: FastifyBaseLogger) {}

  log(): void {}

  warn(message: unknown, ...details: unknown[]): void {
    this.logger.warn({ details }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    if (message instanceof Error) this.logger.error(message);
    else this.logger.error({ details }, String(message));
  }
}

/** One line per request, without bodies, keys, queries and path values (a session_id is a credential). */
export class RequestLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });
  }

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, routeOptions, workspaceId: workspace } = request;
    const { statusCode: status, elapsedTime } = reply;
    const ms = Math.round(elapsedTime * 10) / 10;
    request.log.info({ method, route: routeOptions.url, status, ms, workspace }, 'request');
  }
}

/** Leaves out the parameters and the row of a failed query: clients sent them. */
function describe(error: Error & { code?: string; driverError?: { code?: string } }) {
  const { name: type, message, stack = '', code, driverError } = error;
  return { type, message, code: code ?? driverError?.code, stack };
}
