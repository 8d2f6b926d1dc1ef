import type { FastifyRequest } from 'fastify';

/** Up to this many unread bytes are discarded, so that the connection stays usable. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/**
 * Whether much of the request body is still unread. The response must then close the connection, because on an open one
 * Node reads the body to its end, whatever its length.
 */
export function hasLargeUnreadBody({ raw: { complete, headers } }: FastifyRequest): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return !complete && (headers['transfer-encoding'] !== undefined || length > MAX_DISCARDED_BYTES);
}
