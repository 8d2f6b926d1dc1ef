import type { FastifyInstance } from 'fastify';
import { isId } from '../platform/api/ids';
import { Problem } from '../platform/api/problems/problem';
import { isKnown } from '../platform/http/files/served-file';
import type { ServedImages } from './served-images';

/** A picture never changes (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the pictures that were uploaded, to pages of any site: with the type of their content, and nothing in them
 * runs.
 */
export function serveImages(fastify: FastifyInstance, images: ServedImages): void {
  fastify.get<{ Params: { id: string } }>('/images/:id', { config: { surface: 'image' } }, async (request, reply) => {
    const { id } = request.params;
    const image = isId(id) ? await images.get(id) : undefined;
    if (!image) throw new Problem('not_found');
    const etag = `"${id}"`;
    reply.headers({ 'cache-control': FOR_EVER, 'content-disposition': 'inline', etag });
    if (isKnown(etag, request)) return reply.code(304).send();
    return reply.type(image.type).send(image.content);
  });
}
