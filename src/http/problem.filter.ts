import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemCode } from '../common/problem';
import { problemOfPostgres } from '../common/postgres-errors';
import { hasLargeUnreadBody } from './unread-body';

/** What the framework, the router and the body parser refuse by themselves. */
const CODE_BY_STATUS: Record<number, ProblemCode> = {
  400: 'invalid_request',
  404: 'not_found',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'service_unavailable',
};

/** The one place where an error becomes an answer: whatever was thrown leaves as a problem of RFC 9457. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers a request with the problem that an error is. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error);
  if (problem.status === 500) request.log.error({ err: error }, 'unexpected error');
  else if (problem.status === 503 && problem !== error) request.log.warn({ err: error }, 'the request was turned away');
  // Whoever took too long was told so already.
  if (reply.sent) return;
  if (hasLargeUnreadBody(request)) reply.header('connection', 'close');
  void reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json')
    .send(problem.body(request.id));
}

/** What a client is told of an error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error) ?? 500;
  if (CODE_BY_STATUS[status]) return new Problem(CODE_BY_STATUS[status]);
  if (status < 500) return new Problem('invalid_request');
  return problemOfPostgres(error) ?? new Problem('internal_error');
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof Error ? (error as Error & { statusCode?: number }).statusCode : undefined;
}
