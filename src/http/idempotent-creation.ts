import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type IdempotentRequest as RequestWithKey, requestHashOf } from '../common/idempotent-request';
import { ApiIdempotencyKey, idempotencyKeyOf } from './idempotency-key';

const Read = createParamDecorator((_: unknown, context: ExecutionContext): IdempotentRequest | undefined => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  // Where none is needed, an empty object is the same as no body.
  const { method, routeOptions, params, body = {} } = request;
  return { key, request_hash: requestHashOf([method, routeOptions.url, params, body]) };
});

const CREATION =
  'Makes the request safe to repeat: for 24 hours, the same key and request give the same answer, and nothing is created a ' +
  'second time. Another request with the key is 422. An error is not remembered: correct the request and send it again with ' +
  'the same key. Make a new random key for each creation, such as a UUID, and keep it secret: the stored answer is encrypted with it.';

export type IdempotentRequest = RequestWithKey;

/** The request of a creation, as a parameter of its handler; undefined without an `Idempotency-Key`. */
export function IdempotentRequest(): ParameterDecorator {
  return (target, handler, index) => {
    Read()(target, handler, index);
    const method = Object.getOwnPropertyDescriptor(target, handler!)!;
    ApiIdempotencyKey(CREATION)(target, handler!, method);
  };
}
