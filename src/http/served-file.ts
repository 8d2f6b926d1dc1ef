import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimitHook, type RateLimiter } from './rate-limits';

/** A file of a page. Its content is made on the first request. */
interface ServedFile {
  path: string;
  type: string;
  content: () => string | Promise<Buffer>;
}

interface Encoded {
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/**
 * Serves a file from memory. All responses share the same buffers, so a request costs no file descriptor and no copy.
 * Browsers revalidate their copy (`ETag`, RFC 9110, 8.8.3) and usually get a 304.
 */
export function serveFile(fastify: FastifyInstance, { path, type, content }: ServedFile, limit: RateLimiter): void {
  let encoded: Promise<Encoded> | undefined;
  const load = async () => {
    try {
      return await encode(await content());
    } catch (error) {
      encoded = undefined;
      throw error;
    }
  };
  fastify.get(path, { config: { surface: 'page' }, onRequest: rateLimitHook(limit) }, async (request, reply) => {
    encoded ??= load();
    return send(await encoded, type, request, reply);
  });
}

async function encode(content: Buffer | string): Promise<Encoded> {
  const plain = Buffer.from(content);
  // Weak, because both encodings share it (RFC 9110, 8.8.1).
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, compressed: await promisify(gzip)(plain), etag };
}

function send(
  { plain, compressed, etag }: Encoded,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(type);
  if (!acceptsGzip(request)) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(compressed);
}

/** RFC 9110, 12.5.3. */
function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding']));
}
