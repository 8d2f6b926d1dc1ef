import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SignedInPerson } from '../../tenancy/access/signed-in-person';
import type { SignIns } from '../../tenancy/access/sign-ins';
import { PersonSessions } from './person-sessions.service';
import { SessionCookie } from './session-cookie';

/** Finds people by the cookie of their session. */
@Injectable()
export class CookieSignIns implements SignIns {
  constructor(private readonly sessions: PersonSessions) {}

  tokenIn(request: FastifyRequest): string | undefined {
    return SessionCookie.tokenIn(request);
  }

  find(hash: Buffer): Promise<SignedInPerson | undefined> {
    return this.sessions.find(hash);
  }
}
