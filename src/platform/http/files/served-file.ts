import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimitHook, type RateLimiter } from '../limits/rate-limits';
import type { Surface } from '../surface';

/** A file for browsers. Its content is made on the first request. */
export interface ServedFile {
  path: string;
  type: string;
  content: () => string | Buffer | Promise<Buffer>;
  /** `page` unless given. */
  surface?: Surface;
  /** Added to the headers of its surface. `cache-control` is `no-cache` unless given. */
  headers?: Record<string, string>;
}

interface Encoded {
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
  etag: string;
}

/** Brotli's best takes seconds for a megabyte, and the first request waits. */
const BEST_BROTLI_MAX_BYTES = 100_000;

/**
 * Serves a file from memory. All responses share the same buffers, so a request costs no file descriptor and no copy.
 * Browsers revalidate their copy (`ETag`, RFC 9110, 8.8.3) and usually get a 304.
 */
export function serveFile(fastify: FastifyInstance, file: ServedFile, limit?: RateLimiter): void {
  const config = { surface: file.surface ?? 'page' };
  fastify.get(file.path, { config, onRequest: limit && rateLimitHook(limit) }, fileHandler(file));
}

/** Responds with a file, for a route whose path has several. */
export function fileHandler({ type, content, headers }: Omit<ServedFile, 'path' | 'surface'>) {
  let encoded: Promise<Encoded> | undefined;
  const load = async () => encode(await content());
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    encoded ??= load();
    encoded.catch(() => (encoded = undefined));
    const { etag, ...buffers } = await encoded;
    reply.headers({ 'cache-control': 'no-cache', ...headers, etag, vary: 'accept-encoding' });
    if (isKnown(etag, request)) return reply.code(304).send();
    const encoding = (['br', 'gzip'] as const).find((encoding) => accepts(encoding, request));
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type(type).send(buffers[encoding ?? 'plain']);
  };
}

async function encode(content: Buffer | string): Promise<Encoded> {
  const plain = Buffer.from(content);
  const quality = plain.length > BEST_BROTLI_MAX_BYTES ? 5 : constants.BROTLI_MAX_QUALITY;
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  // Weak, because all encodings share it (RFC 9110, 8.8.1).
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, br, gzip: gzipped, etag };
}

/**
 * Whether the client has what an ETag names (RFC 9110, 13.1.2). Proxies make a weak tag of a strong one, and the other
 * way round.
 */
export function isKnown(etag: string, { headers }: FastifyRequest): boolean {
  const known = headers['if-none-match'];
  return known === '*' || !!known?.includes(etag.replace('W/', ''));
}

/** RFC 9110, 12.5.3. */
function accepts(encoding: string, { headers }: FastifyRequest): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(String(headers['accept-encoding']));
}
