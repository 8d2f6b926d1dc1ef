import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRateLimiter, rateLimitHook } from '../../platform/http/rate-limits';

/** Per workspace, because its webhooks may all lead to one host. */
const PER_MINUTE = 30;

/** Limits what is sent because somebody asked for it: the address need not belong to who asks. */
@Injectable()
export class SentOnRequestGuard implements CanActivate {
  private readonly limit: ReturnType<typeof rateLimitHook>;

  constructor({ httpAdapter }: HttpAdapterHost<FastifyAdapter>) {
    const perWorkspace = {
      name: 'sending',
      perMinute: PER_MINUTE,
      clientOf: ({ workspaceId }: FastifyRequest) => workspaceId!,
    };
    this.limit = rateLimitHook(createRateLimiter(httpAdapter.getInstance<FastifyInstance>(), perWorkspace));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.limit(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return true;
  }
}
