import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/** Other hosts of the same domain are not this service's to speak for. */
const strictTransportSecurity = { includeSubDomains: false };

/** For the docs, and whatever else a browser may show. */
const HEADERS_OF_PAGES = headersOf({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // What Swagger UI needs, all of it from here.
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
  strictTransportSecurity,
});

/**
 * The interface answers JSON, which no browser shows: of Helmet's headers those that mean something for it (OWASP REST
 * Security Cheat Sheet, "Security Headers"). It answers secrets, sessions and what a key may see: nothing for a cache.
 */
const HEADERS_OF_THE_INTERFACE = {
  ...headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
  'cache-control': 'no-store',
};

/** Headers that tell a browser what not to do with an answer. */
export function sendSecurityHeaders({ surface }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(surface === 'page' ? HEADERS_OF_PAGES : HEADERS_OF_THE_INTERFACE);
}

/** They are the same for every answer, so Helmet is asked once: asking it each time took a third of what an answer takes. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
