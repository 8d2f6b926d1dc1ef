import type { LoggerService } from '@nestjs/common';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { pino } from 'pino';
import { LineBudget } from '../limits/line-budget';
import { Output } from './output';

/** Where the lines of the log go. */
export interface LogStream {
  write(line: string): void;
}

/**
 * The log: lines of JSON, which no input of a client can break. It goes to stdout by default, which shows text in a
 * terminal.
 */
export function loggerOptions(level: string, stream: LogStream = new Output()): FastifyServerOptions['logger'] {
  return { level, stream, base: undefined, serializers: { err: describe } };
}

/** Prints a message for the operator. */
export type Notify = (text: string, fields?: object, level?: 'info' | 'warn') => void;

/** Writes messages for the operator as lines of the log, at any log level. Flushed at once. */
export function notifyOn(output: Pick<Output, 'write' | 'flush'>): Notify {
  const log = pino({ base: undefined }, output);
  return (text, fields, level = 'info') => {
    log[level](fields, text.trim());
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

/** The log cuts a pointer here: clients may choose the names of fields and parameters. */
const MAX_POINTER = 200;

/**
 * One line per request, without bodies, keys, queries and path values (a session_id is a credential). An error adds its
 * code, the pointer to the first invalid field or the name of a parameter or header, and the reason. `unread` has
 * pointers to what was left out of a request. Of requests that got a 503, 20 a second have a line.
 */
export class RequestLog extends LogController {
  private readonly unavailable = new LineBudget(20);

  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });
  }

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, routeOptions, workspaceId: workspace, apiKeyId: api_key_id, problem } = request;
    const { person, warnings } = request;
    const { statusCode: status, elapsedTime } = reply;
    const line = status === 503 ? this.unavailable.take() : {};
    if (!line) return;
    const ms = Math.round(elapsedTime * 10) / 10;
    const pointer = problem?.place?.slice(0, MAX_POINTER);
    const error = { code: problem?.code, pointer, reason: problem?.reason };
    const unread = warnings?.map(({ pointer }) => pointer.slice(0, MAX_POINTER));
    request.log.info(
      {
        method,
        route: routeOptions.url,
        status,
        ms,
        workspace,
        api_key_id,
        person_id: person?.id,
        ...error,
        unread,
        ...line,
      },
      'request',
    );
  }
}

/** Leaves out the parameters and the row of a failed query: clients sent them. */
function describe(error: Error & { code?: string; driverError?: { code?: string } }) {
  const { name: type, message, stack = '', code, driverError } = error;
  return { type, message, code: code ?? driverError?.code, stack };
}
