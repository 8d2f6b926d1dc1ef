import type { FastifyInstance } from 'fastify';
import { takeFiles } from './file-body';
import { isLarge, parseJsonBody, parseLargeJsonBody } from './json-body';

/**
 * Accepts only JSON, and files of these types where they are uploaded. A form post needs no preflight (Fetch standard),
 * so any page could send one.
 */
export function acceptOnlyJson(fastify: FastifyInstance, fileTypes: readonly string[]): void {
  fastify.removeAllContentTypeParsers();
  takeFiles(fastify, fileTypes);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    const { values } = request.routeOptions.config.largeBody ?? {};
    // A signature is of the bytes.
    if (request.surface === 'billing') return done(null, bytes);
    if (isLarge(bytes)) return parseLargeJsonBody(bytes, values);
    try {
      done(null, parseJsonBody(bytes, values));
    } catch (error) {
      done(error as Error);
    }
  });
}
