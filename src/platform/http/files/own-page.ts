import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';

/** Longer than any origin: the name of a host has up to 253 characters (RFC 1035). */
const MAX_ORIGIN = 300;

/**
 * Whether a page of this service sent a request, as its browser says; undefined if nothing says so, as in requests of
 * programs. Browsers send `Sec-Fetch-Site` over TLS and to this machine, and `Origin` with each change.
 */
export function isFromOwnPage({ headers, host }: FastifyRequest): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return undefined;
  return origin.length < MAX_ORIGIN && URL.canParse(origin) && new URL(origin).host === host;
}

/** Refuses what a page of another site sends: it could sign its visitors in as somebody else. */
@Injectable()
export class OwnPageGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isFromOwnPage(context.switchToHttp().getRequest<FastifyRequest>()) === false) throw new Problem('cross_site');
    return true;
  }
}
