import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_DAYS } from './person-session.entity';
import type { SignedIn } from './person-sessions.service';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const MAX_AGE = SESSION_DAYS * 24 * 60 * 60;

/**
 * The name and the attributes of a cookie of ours. Browsers send it over TLS only, to this host only, and take it from
 * no other host (`__Host-`). A browser on this machine may use plain http, where these rules can't be kept.
 */
function ownCookie(name: string, { protocol, hostname }: FastifyRequest): { name: string; attributes: string } {
  const isLocal = protocol === 'http' && LOOPBACK.test(hostname);
  const attributes = 'Path=/; HttpOnly; SameSite=Lax';
  return isLocal ? { name, attributes } : { name: `__Host-${name}`, attributes: `${attributes}; Secure` };
}

/** The value of a cookie of ours. */
function readCookie(name: string, request: FastifyRequest): string | undefined {
  const start = `${ownCookie(name, request).name}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

function writeCookie(name: string, value: string, maxAge: number, request: FastifyRequest, reply: FastifyReply) {
  const cookie = ownCookie(name, request);
  reply.header('set-cookie', `${cookie.name}=${value}; ${cookie.attributes}; Max-Age=${maxAge}`);
}

/** The cookie of a person's session. */
export class SessionCookie {
  private static readonly NAME = 'rf';

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** The token in the cookie of a request. */
  static tokenIn(request: FastifyRequest): string | undefined {
    return readCookie(SessionCookie.NAME, request);
  }

  /** Begins the session in the browser. */
  begin({ token }: SignedIn): void {
    writeCookie(SessionCookie.NAME, token, MAX_AGE, this.request, this.reply);
  }

  /** Removes it from the browser. */
  clear(): void {
    writeCookie(SessionCookie.NAME, '', 0, this.request, this.reply);
  }
}

/** The cookie of the response, as a parameter of a handler. */
export const OwnSessionCookie = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new SessionCookie(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

/** The cookie that a browser keeps while its person is at the OpenID provider. */
export class OpenIdCookie {
  private static readonly NAME = 'rf-openid';
  private static readonly MAX_AGE = 10 * 60;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  keep(value: string): void {
    writeCookie(OpenIdCookie.NAME, value, OpenIdCookie.MAX_AGE, this.request, this.reply);
  }

  /** Returns the kept value, once. */
  take(): string | undefined {
    writeCookie(OpenIdCookie.NAME, '', 0, this.request, this.reply);
    return readCookie(OpenIdCookie.NAME, this.request);
  }
}

/** The cookie of a sign-in under way, as a parameter of a handler. */
export const OwnOpenIdCookie = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new OpenIdCookie(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});
