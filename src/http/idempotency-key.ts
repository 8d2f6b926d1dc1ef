import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type IdempotentRequest as RequestWithKey, requestHashOf } from '../common/idempotent-request';
import { Problem } from '../common/problem';

const IDEMPOTENCY_KEY = 'idempotency-key';
const FORM = /^[\x20-\x7e]{16,255}$/;

/** The header `Idempotency-Key` of a request, if it was sent. Throws a 400 unless it was sent once and has its form. */
export function idempotencyKeyOf({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY];
  if (key === undefined) return undefined;
  // Node joins a header that is sent twice into one value.
  if (raw.headersDistinct[IDEMPOTENCY_KEY]!.length > 1) throw invalid('must be sent once');
  if (typeof key === 'string' && FORM.test(key)) return key;
  throw invalid('must be 16 to 255 printable ASCII characters');
}

function invalid(message: string): Problem {
  return Problem.invalid([{ pointer: `/${IDEMPOTENCY_KEY}`, message }]);
}

/** Documents the header. It has no example, because Swagger UI would fill it in for every request, and a key is for one. */
export const ApiIdempotencyKey = (description: string) =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description,
    schema: { type: 'string', minLength: 16, maxLength: 255, pattern: FORM.source },
  });

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
