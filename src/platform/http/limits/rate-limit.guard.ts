import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RateLimit, rateLimitHook, RateLimits } from './rate-limits';

/** A guard that limits the requests of a client to its routes. */
export function limited(limit: RateLimit): Type<CanActivate> {
  @Injectable()
  class RateLimitGuard implements CanActivate {
    private readonly hook: ReturnType<typeof rateLimitHook>;

    constructor(limits: RateLimits) {
      this.hook = rateLimitHook(limits.limiting(limit));
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      await this.hook(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
      return true;
    }
  }
  return RateLimitGuard;
}

/** A guard that limits the requests of a workspace to its routes, of all its callers together. */
export function limitedByWorkspace(name: string, perMinute: number): Type<CanActivate> {
  return limited({ name, perMinute, clientOf: ({ workspaceId }) => workspaceId! });
}
