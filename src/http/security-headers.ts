import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/** Subdomains are not this service's to decide about. */
const strictTransportSecurity = { includeSubDomains: false };

/** For responses that a browser shows. A page may set a Content-Security-Policy of its own. */
const PAGE_HEADERS = headersOf({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // What Swagger UI needs, all from this origin.
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
  strictTransportSecurity,
});

/**
 * For JSON, which a browser does not render: only the Helmet headers that apply to it (OWASP REST Security Cheat Sheet,
 * "Security Headers"). Not cached, because responses contain secrets, sessions and the data of one key's workspace.
 */
const API_HEADERS = {
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

/** For files that pages of other sites load, those with `Cross-Origin-Embedder-Policy: require-corp` too. */
const ASSET_HEADERS = { ...API_HEADERS, 'cross-origin-resource-policy': 'cross-origin' };

export function setSecurityHeaders({ surface }: FastifyRequest, reply: FastifyReply): void {
  if (surface === 'page') reply.headers(PAGE_HEADERS);
  else reply.headers(surface === 'asset' ? ASSET_HEADERS : API_HEADERS);
}

/** Helmet's headers, computed once at start: calling Helmet for each response took a third of the response's time. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
