import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * For JSON, which a browser does not render (OWASP REST Security Cheat Sheet, "Security Headers"). Not cached, because
 * responses contain secrets, sessions and the data of one key's workspace.
 */
const API_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Subdomains are not this service's to decide about.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Headers of responses that a browser shows. A page may set a Content-Security-Policy of its own. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Swagger UI needs these, all from this origin.
    "connect-src 'self'",
    "img-src 'self' data:",
    "script-src 'self'",
    "style-src 'self'",
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Headers of files that pages of other sites load, those with `Cross-Origin-Embedder-Policy: require-corp` too. */
const ASSET_HEADERS = { ...API_HEADERS, 'cross-origin-resource-policy': 'cross-origin' };

export function setSecurityHeaders({ surface }: FastifyRequest, reply: FastifyReply): void {
  if (surface === 'page' || surface === 'exit') reply.headers(PAGE_HEADERS);
  else reply.headers(surface === 'asset' || surface === 'image' ? ASSET_HEADERS : API_HEADERS);
}
