import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The styles that stand in the page of Swagger UI itself, and one that it makes, by their SHA-256 (CSP 3, 8.3). */
const STYLES_OF_THE_DOCS = [
  "'sha256-/jDKvbQ8cdux+c5epDIqkjHbXDaIY8RucT1PmAe8FG4='",
  "'sha256-eaPyLWVdqMc60xuz5bTp2yBRgVpQSoUggte1+40ONPU='",
  "'sha256-ezdv1bOGcoOD7FKudKN0Y2Mb763O6qVtM8LT2mtanIU='",
  "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "'unsafe-hashes'",
];

/** Headers that tell a browser what not to do with an answer. */
export async function sendSecurityHeaders(fastify: FastifyInstance): Promise<void> {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        // What Swagger UI needs at /docs, all of it from here.
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...STYLES_OF_THE_DOCS],
      },
    },
    // Other hosts of the same domain are not this service's to speak for.
    strictTransportSecurity: { includeSubDomains: false },
  });
  fastify.addHook('onRequest', forbidStoring);
}

/** The interface answers secrets, sessions and what a key may see: nothing for a cache. */
function forbidStoring({ url }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  done();
}
