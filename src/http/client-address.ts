import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inNetworks } from './networks';

/** A `trustProxy` function for Fastify: returns whether an address is in one of the networks (addresses or CIDRs). */
export function trustNetworks(networks: string[]): (address: string | undefined) => boolean {
  const isTrusted = inNetworks(networks);
  return (forwarded) => {
    const address = withoutPort(forwarded);
    return address !== undefined && isTrusted(address);
  };
}

/**
 * The client address that a request is counted against. IPv6 is cut to the /64 that one client is usually assigned. If a
 * proxy forwarded something other than an address, the address of the connection counts.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  // A closed connection has no remote address.
  return normalizeIP(withoutPort(ip) ?? socket.remoteAddress ?? '', 64);
}

/**
 * A hook that warns once when a forwarded header comes from an address that TRUST_PROXY does not name. Either a client
 * forged it, or TRUST_PROXY lacks a proxy and all clients behind it share one address and one rate limit.
 */
export function warnOfUntrustedProxy(): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  let warned = false;
  return (request, _, done) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers;
    const isForwarded = forwardedFor !== undefined || forwarded !== undefined;
    if (!warned && isForwarded && request.ip === request.socket.remoteAddress) {
      warned = true;
      request.log.warn(
        { address: request.ip },
        'ignored a forwarded header from an address that is not in TRUST_PROXY',
      );
    }
    done();
  };
}

/** Some proxies append the port (`192.0.2.7:4711`, `[2001:db8::7]:4711`), which differs for each connection. */
function withoutPort(forwarded = ''): string | undefined {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(forwarded) ?? [];
  const address = v6 ?? v4 ?? forwarded;
  return isIP(address) ? address : undefined;
}
