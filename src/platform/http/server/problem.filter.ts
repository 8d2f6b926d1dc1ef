import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';
import type { ProblemCode } from '../../api/problems/problem-codes';
import { LineBudget } from '../limits/line-budget';

/** Errors of the framework, the router and the body parser. */
const CODE_BY_STATUS: Record<number, ProblemCode> = {
  400: 'invalid_request',
  404: 'not_found',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'service_unavailable',
};

/** Up to this many unread bytes are discarded, so that the connection stays usable. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/** The one place where an error becomes a response: every error leaves as a problem of RFC 9457. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** How often each kind of error is logged: while the database is away, every request has the same. */
  private readonly reasons = new Map<string, LineBudget>();

  /** @param problemOf the problem behind an error that HTTP knows nothing about; undefined for a defect of ours */
  constructor(private readonly problemOf: (error: unknown) => Problem | undefined) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const problem = this.toProblem(error);
    if (problem.status === 500) request.log.error({ err: error }, 'unexpected error');
    else if (problem.status === 503 && problem !== error) this.logReason(error, request);
    sendProblem(problem, request, http.getResponse<FastifyReply>());
  }

  private logReason(error: unknown, request: FastifyRequest): void {
    const { name, code = '' } = error as Error & { code?: string };
    const kind = `${name} ${code}`;
    const budget = this.reasons.get(kind) ?? new LineBudget(1);
    this.reasons.set(kind, budget);
    const line = budget.take();
    if (line) request.log.warn({ err: error, ...line }, 'the request was turned away');
  }

  private toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const status = statusOf(error) ?? 500;
    if (CODE_BY_STATUS[status]) return new Problem(CODE_BY_STATUS[status]);
    if (status < 500) return new Problem('invalid_request');
    return this.problemOf(error) ?? new Problem('internal_error');
  }
}

/** Responds with a problem, unless the request got its response before. */
export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) return;
  request.problem = problem;
  if (hasLargeUnreadBody(request)) reply.header('connection', 'close');
  // A file that is refused when it was about to be sent has its own.
  reply.removeHeader('etag').removeHeader('content-disposition');
  void reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers })
    .type('application/problem+json')
    .send(problem.body(request.id));
}

/**
 * Whether much of the request body is still unread. The response must then close the connection, because on an open one
 * Node reads the body to its end, whatever its length.
 */
export function hasLargeUnreadBody({ raw: { complete, headers } }: FastifyRequest): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return !complete && (headers['transfer-encoding'] !== undefined || length > MAX_DISCARDED_BYTES);
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof Error ? (error as Error & { statusCode?: number }).statusCode : undefined;
}
