import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limiting, type RateLimiter } from './rate-limits';

/** A file of a page, made on the first request for it. */
interface ServedFile {
  path: string;
  type: string;
  content: () => Buffer | string | Promise<Buffer>;
}

interface Made {
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/**
 * Serves a file from memory: every answer is of the same buffers, so it costs neither a descriptor nor a copy. A browser
 * asks whether its copy is still good (`ETag`, RFC 9110, 8.8.3) and mostly gets a 304.
 */
export function serveFile(fastify: FastifyInstance, { path, type, content }: ServedFile, limit: RateLimiter): void {
  let made: Promise<Made> | undefined;
  const load = async () => {
    try {
      return await make(await content());
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  fastify.get(path, { config: { surface: 'page' }, onRequest: limiting(limit) }, async (request, reply) => {
    made ??= load();
    return send(await made, type, request, reply);
  });
}

async function make(content: Buffer | string): Promise<Made> {
  const plain = Buffer.from(content);
  // Weak, because it stands for both forms (RFC 9110, 8.8.1).
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, compressed: await promisify(gzip)(plain), etag };
}

function send(
  { plain, compressed, etag }: Made,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(type);
  if (!takesGzip(request)) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(compressed);
}

/** RFC 9110, 12.5.3. */
function takesGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding']));
}
