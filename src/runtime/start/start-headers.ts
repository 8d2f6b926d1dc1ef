import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../common/problem';

const IDEMPOTENCY_KEY = 'idempotency-key';
const FORM = /^[\x20-\x7e]{16,255}$/;

/** The headers of a start. */
export interface StartHeaders {
  /** The origin of the page; undefined if no browser sent the request across origins. */
  origin?: string;
  /** 16 to 255 printable ASCII characters. */
  idempotencyKey?: string;
}

/** The headers `Origin` and `Idempotency-Key`. */
export const StartHeaders = createParamDecorator((_: unknown, context: ExecutionContext): StartHeaders => {
  const { headers, raw } = context.switchToHttp().getRequest<FastifyRequest>();
  const { origin, [IDEMPOTENCY_KEY]: idempotencyKey } = headers;
  if (idempotencyKey === undefined) return { origin };
  // Node joins a header that is sent twice into one value.
  if (raw.headersDistinct[IDEMPOTENCY_KEY]!.length > 1) throw invalid('must be sent once');
  if (typeof idempotencyKey === 'string' && FORM.test(idempotencyKey)) return { origin, idempotencyKey };
  throw invalid('must be 16 to 255 printable ASCII characters');
});

function invalid(message: string): Problem {
  return Problem.invalid([{ pointer: `/${IDEMPOTENCY_KEY}`, message }]);
}

/** Documents the header. It has no example, because Swagger UI would fill it in for every start, and a key is for one. */
export const ApiStartHeaders = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'Makes a start safe to repeat: within a workspace, the same key and body give the same session, counted once. ' +
      'Make a new random key for each start, such as a UUID, and keep it secret: whoever has it gets the session. ' +
      'With another body it is 422; sent twice in one request it is 400.',
    schema: { type: 'string', minLength: 16, maxLength: 255, pattern: FORM.source },
  });
