import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Address6 } from 'ip-address';
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
 * The client address that a request is counted against. IPv6 is cut to the /64 that one client is usually assigned. If
 * a proxy forwarded something other than an address, the address of the connection counts.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  // A closed connection has no remote address.
  const address = withoutPort(ip) ?? socket.remoteAddress ?? '';
  if (!isIPv6(address)) return address;
  const v6 = new Address6(address);
  return v6.isMapped4() ? v6.to4().correctForm() : new Address6(`${address}/64`).startAddress().correctForm();
}

/**
 * Warns once when a forwarded header is ignored. Either a client forged it, or all clients behind a proxy
 * share one address and one rate limit: TRUST_PROXY (`networks`) lacks the proxy, or it sends only `Forwarded`.
 */
export function warnOfIgnoredHeaders(fastify: FastifyInstance, networks: string[]): void {
  const isTrusted = trustNetworks(networks);
  let hasWarned = false;
  fastify.addHook('onRequest', ({ headers, socket, log }, _, done) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = headers;
    const address = socket.remoteAddress;
    // A closed connection has no address.
    if (!hasWarned && address && (forwardedFor ?? forwarded) !== undefined) {
      if (!isTrusted(address)) {
        log.warn({ address }, 'ignored a forwarded header from an address that is not in TRUST_PROXY');
        hasWarned = true;
      } else if (forwardedFor === undefined) {
        log.warn({ address }, 'ignored the header Forwarded: only X-Forwarded-For is read');
        hasWarned = true;
      }
    }
    done();
  });
}

/** Some proxies append the port (`192.0.2.7:4711`, `[2001:db8::7]:4711`), which differs for each connection. */
function withoutPort(forwarded = ''): string | undefined {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(forwarded) ?? [];
  const address = v6 ?? v4 ?? forwarded;
  return isIP(address) ? address : undefined;
}
