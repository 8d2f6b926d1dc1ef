import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRateLimiter, rateLimitHook } from './rate-limits';

/**
 * A guard that limits the requests of a workspace to its routes, of all its callers together. `name` is that of the
 * limit in the response headers.
 */
export function limitOfWorkspace(name: string, perMinute: number): Type<CanActivate> {
  @Injectable()
  class WorkspaceLimitGuard implements CanActivate {
    private readonly limit: ReturnType<typeof rateLimitHook>;

    constructor({ httpAdapter }: HttpAdapterHost<FastifyAdapter>) {
      const clientOf = ({ workspaceId }: FastifyRequest) => workspaceId!;
      this.limit = rateLimitHook(
        createRateLimiter(httpAdapter.getInstance<FastifyInstance>(), { name, perMinute, clientOf }),
      );
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      await this.limit(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
      return true;
    }
  }
  return WorkspaceLimitGuard;
}
