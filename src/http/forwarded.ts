import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Says once that somebody claims to forward requests and is not trusted to. Either it is a forger, or a proxy that
 * TRUST_PROXY does not name, behind which all clients share one address and so one rate limit.
 */
export function noticeForwarders(): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  let noticed = false;
  return (request, _, done) => {
    const { 'x-forwarded-for': list, forwarded } = request.headers;
    if (!noticed && (list !== undefined || forwarded !== undefined) && request.ip === request.socket.remoteAddress) {
      noticed = true;
      request.log.warn(
        { address: request.ip },
        'a forwarded header is ignored, because TRUST_PROXY does not name the address that it came from',
      );
    }
    done();
  };
}
