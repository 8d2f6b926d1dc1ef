import type { FastifyInstance } from 'fastify';
import { isId } from '../platform/api/ids';
import { Problem } from '../platform/api/problem';
import type { ImagesService } from './images.service';

/** A picture never changes (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the pictures that were uploaded, to pages of any site: with the type of their content, and nothing in them runs. */
export function serveImages(fastify: FastifyInstance, images: ImagesService): void {
  fastify.get<{ Params: { id: string } }>('/images/:id', { config: { surface: 'image' } }, async (request, reply) => {
    const { id } = request.params;
    const image = isId(id) ? await images.contentOf(id) : undefined;
    if (!image) throw new Problem('not_found');
    const { type, content } = image;
    reply.headers({ 'cache-control': FOR_EVER, 'content-disposition': 'inline' });
    return reply.type(type).send(content);
  });
}
