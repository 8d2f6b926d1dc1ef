import { applyDecorators, createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';

const IDEMPOTENCY_KEY = 'idempotency-key';
const FORM = /^[\x20-\x7e]{16,255}$/;

/** What a start says in its headers. */
export interface StartHeaders {
  /** Where the page comes from; undefined for a request that no browser sent across origins. */
  origin?: string;
  /** 16 to 255 printable ASCII characters. */
  idempotencyKey?: string;
}

/** The headers `Origin` and `Idempotency-Key`. */
export const StartHeaders = createParamDecorator((_: unknown, context: ExecutionContext): StartHeaders => {
  const { origin, [IDEMPOTENCY_KEY]: idempotencyKey } = context.switchToHttp().getRequest<FastifyRequest>().headers;
  if (idempotencyKey === undefined) return { origin };
  if (typeof idempotencyKey === 'string' && FORM.test(idempotencyKey)) return { origin, idempotencyKey };
  throw Problem.invalid([{ pointer: `/${IDEMPOTENCY_KEY}`, message: 'must be 16 to 255 printable ASCII characters' }]);
});

export const ApiStartHeaders = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes it safe to ask again: the same key in a workspace gives the same session, counted once. It must be ' +
        'random, as a UUID is, because whoever knows it gets the session.',
      schema: { type: 'string', minLength: 16, maxLength: 255, pattern: FORM.source },
      example: '0b9d4c1e-7f6a-4c5d-8e2b-1a3c5e7f9b0d',
    }),
  );
