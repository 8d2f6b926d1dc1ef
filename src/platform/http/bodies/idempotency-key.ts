import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';

const NAME = 'Idempotency-Key';
const IDEMPOTENCY_KEY = 'idempotency-key';
const FORM = /^[\x20-\x7e]{16,255}$/;

/** The header `Idempotency-Key` of a request, if it was sent. Throws a 400 unless it was sent once and has its form. */
export function idempotencyKeyOf({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY];
  if (key === undefined) return undefined;
  // Node joins a header that is sent twice into one value.
  if (raw.headersDistinct[IDEMPOTENCY_KEY]!.length > 1) throw Problem.ofHeader(NAME, 'must be sent once');
  if (typeof key === 'string' && FORM.test(key)) return key;
  throw Problem.ofHeader(NAME, 'must be 16 to 255 printable ASCII characters');
}

/**
 * Documents the header. It has no example, because Swagger UI would fill it in for every request, and a key is for one.
 */
export const ApiIdempotencyKey = (description: string) =>
  ApiHeader({
    name: NAME,
    required: false,
    description,
    schema: { type: 'string', minLength: 16, maxLength: 255, pattern: FORM.source },
  });
