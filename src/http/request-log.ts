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
    /** The tenant: the workspace that the request is about. A guard or `Authentication` finds it, and the log names it. */
    workspaceId?: string;
  }
}

/** Where the lines of the log go. */
export interface LogStream {
  write(line: string): void;
}

/** The log: lines of JSON, in which nothing that a client sends can begin a new one. It goes to stdout unless told. */
export function loggerOptions(level: string, stream: LogStream = new Output()): FastifyServerOptions['logger'] {
  return { level, stream, base: undefined, serializers: { err: describe } };
}

/** Says something to whoever starts and stops the service. */
export type Notify = (text: string, fields?: object) => void;

/** In a terminal as text, elsewhere as a line of the log, whatever its level. Somebody may be waiting for it: it goes out at once. */
export function notifyOn(output: Pick<Output, 'isTerminal' | 'write' | 'flush'>): Notify {
  const log = pino({ base: undefined }, output);
  return (text, fields) => {
    if (output.isTerminal) output.write(`${text}\n`);
    else log.info(fields, text.trim());
    output.flush();
  };
}

/** What Nest and the services say goes to the log as well, from warnings on. */
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

/** One line for each request. Bodies, keys, queries and whatever stands in a path (a session's id is a secret) stay out. */
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

/** Of a failed query neither its parameters nor the row that Postgres complains of: they are what clients sent. */
function describe(error: Error & { code?: string; driverError?: { code?: string } }) {
  const { name: type, message, stack = '', code, driverError } = error;
  return { type, message, code: code ?? driverError?.code, stack };
}
