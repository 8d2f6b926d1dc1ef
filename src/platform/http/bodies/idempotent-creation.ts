import { applyDecorators } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type IdempotentRequest, requestHashOf } from '../../api/idempotent-request';
import { ApiIdempotencyKey, idempotencyKeyOf } from './idempotency-key';
import { AddRouteConfig } from '../route-config';

/** The creation that a request asks for, on a route that takes an `Idempotency-Key`; undefined without one. */
export function idempotentRequestOf(request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.routeOptions.config.isIdempotent && idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  // Where none is needed, an empty object is the same as no body.
  const { method, routeOptions, params, body = {} } = request;
  return { key, request_hash: requestHashOf([method, routeOptions.url, params, body]) };
}

const CREATION =
  'Makes the request safe to repeat: for 24 hours, the same key and request give the same answer, and nothing is created a ' +
  'second time. Another request with the key is 422. An error is not remembered: correct the request and send it again with ' +
  'the same key. Make a new random key for each creation, such as a UUID, and keep it secret: the stored answer is encrypted with it.';

/** A route that creates something, once for each `Idempotency-Key`. */
export const Idempotent = () => applyDecorators(AddRouteConfig({ isIdempotent: true }), ApiIdempotencyKey(CREATION));
