import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

/** The styles that stand in the page of Swagger UI itself, and one that it makes, by their SHA-256 (CSP 3, 8.3). */
const STYLES_OF_THE_DOCS = [
  "'sha256-/jDKvbQ8cdux+c5epDIqkjHbXDaIY8RucT1PmAe8FG4='",
  "'sha256-eaPyLWVdqMc60xuz5bTp2yBRgVpQSoUggte1+40ONPU='",
  "'sha256-ezdv1bOGcoOD7FKudKN0Y2Mb763O6qVtM8LT2mtanIU='",
  "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "'unsafe-hashes'",
];

const sendHeaders = helmet({
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

/** The same for every answer, so Helmet is asked once: asking it each time took a third of what an answer takes. */
const HEADERS = headersOf(sendHeaders);

/** The interface answers secrets, sessions and what a key may see: nothing for a cache. */
const HEADERS_OF_THE_INTERFACE = { ...HEADERS, 'cache-control': 'no-store' };

/** Headers that tell a browser what not to do with an answer. */
export function sendSecurityHeaders({ url }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(url.startsWith('/api/') ? HEADERS_OF_THE_INTERFACE : HEADERS);
}

function headersOf(middleware: typeof sendHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
