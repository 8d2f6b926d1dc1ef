import { applyDecorators, createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';

const HEADER = 'idempotency-key';
const FORM = /^[\x20-\x7e]{16,255}$/;

/** The header `Idempotency-Key`, or undefined: 16 to 255 printable ASCII characters. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const value = context.switchToHttp().getRequest<FastifyRequest>().headers[HEADER];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && FORM.test(value)) return value;
  throw Problem.invalid([{ pointer: `/${HEADER}`, message: 'must be 16 to 255 printable ASCII characters' }]);
});

export const ApiIdempotencyKey = () =>
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
