import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiIdempotencyKey, idempotencyKeyOf } from '../../http/idempotency-key';

/** The headers of a start. */
export interface StartHeaders {
  /** The origin of the page; undefined if no browser sent the request across origins. */
  origin?: string;
  idempotencyKey?: string;
}

/** The headers `Origin` and `Idempotency-Key`. */
export const StartHeaders = createParamDecorator((_: unknown, context: ExecutionContext): StartHeaders => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { origin: request.headers.origin, idempotencyKey: idempotencyKeyOf(request) };
});

export const ApiStartHeaders = () =>
  ApiIdempotencyKey(
    'Makes a start safe to repeat: within a workspace, the same key and body give the same session, counted once. ' +
      'Make a new random key for each start, such as a UUID, and keep it secret: whoever has it gets the session. ' +
      'With another body it is 422; sent twice in one request it is 400.',
  );
