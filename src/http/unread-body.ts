import type { FastifyRequest } from 'fastify';

/** A rest of this size is read though nobody wants it, so that the connection can go on. */
const MAX_DISCARDED = 16 * 1024;

/**
 * Whether an answer now leaves much of the request's body unread. Its connection has to be closed then: on one that stays
 * open Node reads the body to its end, however long that is.
 */
export function leavesMuchUnread({ raw: { complete, headers } }: FastifyRequest): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return !complete && (headers['transfer-encoding'] !== undefined || length > MAX_DISCARDED);
}
