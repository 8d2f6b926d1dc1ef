import { BlockList, isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For Fastify's `trustProxy`: whether an address is that of a proxy whose word on its client is taken. */
export function trustOf(networks: string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address, length] = network.split('/');
    if (length === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(length), familyOf(address));
  }
  return (written) => {
    const address = withoutPort(written);
    return address !== undefined && trusted.check(address, familyOf(address));
  };
}

/**
 * The address of the client that a request counts for; of IPv6 the /64, which is what one client is given. Where a proxy
 * wrote something else than an address, it is the address of the connection.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  // A client that has gone has none any more.
  return normalizeIP(withoutPort(ip) ?? socket.remoteAddress ?? '', 64);
}

/**
 * Warns once when a request says whom it was forwarded for, and TRUST_PROXY doesn't name the address it came from. Either a
 * client forged it, or all clients behind an unnamed proxy share one address and so one rate limit.
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

/** Some proxies write `192.0.2.7:4711` and `[2001:db8::7]:4711`, of which each connection has another. */
function withoutPort(written = ''): string | undefined {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(written) ?? [];
  const address = v6 ?? v4 ?? written;
  return isIP(address) ? address : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
