import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { Tally } from '../../common/tally';
import { clientAddress } from '../client-address';

const MB = 1_000_000;
/** Bytes that the clients of a workspace may leave unread. Clients without a key count by address. */
const MAX_OF_ONE = 16 * MB;
const MAX_OF_ALL = 128 * MB;
/** The bytes of pictures among them, which anybody may ask for. */
const MAX_OF_IMAGES = 64 * MB;
/** A smaller response takes no more memory than its connection. */
const MIN_COUNTED = 16 * 1024;

/**
 * Bounds the memory of responses that clients don't read: beyond it, their next request is refused. A response to a
 * change is always sent, because the change is done.
 */
export function limitUnread(fastify: FastifyInstance): void {
  const answers = { unread: new Tally(), most: MAX_OF_ALL - MAX_OF_IMAGES };
  const images = { unread: new Tally(), most: MAX_OF_IMAGES };
  const budgetOf = ({ surface }: FastifyRequest) => (surface === 'image' ? images : answers);
  const refusal = (request: FastifyRequest, bytes: number) => {
    const { unread, most } = budgetOf(request);
    if (unread.of(ownerOf(request)) + bytes > MAX_OF_ONE)
      return new Problem('too_many_requests', {}, 'Read the responses to your other requests first.').after(1);
    return unread.total + bytes > most ? new Problem('service_unavailable') : undefined;
  };
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    done(budgetOf(request).unread.total > 0 ? refusal(request, 0) : undefined, payload);
  });
  fastify.addHook<string | Buffer | NodeJS.ReadableStream | null>('onSend', (request, reply, payload, done) => {
    // Others are files, which all responses share, and downloads, which are read as they are sent.
    const isCounted = typeof payload === 'string' || (Buffer.isBuffer(payload) && request.surface === 'image');
    if (!isCounted || payload.length < MIN_COUNTED) return done(null, payload);
    // The client is gone, so no `close` will take it off the count.
    if (reply.raw.destroyed) return done(null, payload);
    const bytes = Buffer.byteLength(payload);
    const problem = request.method === 'GET' ? refusal(request, bytes) : undefined;
    if (problem) return done(problem);
    const { unread } = budgetOf(request);
    const owner = ownerOf(request);
    unread.add(owner, bytes);
    reply.raw.on('close', () => unread.add(owner, -bytes));
    done(null, payload);
  });
}

/** Strangers are not counted against the workspace that they visit. */
function ownerOf(request: FastifyRequest): string {
  return (request.apiKeyId && request.workspaceId) ?? clientAddress(request);
}
