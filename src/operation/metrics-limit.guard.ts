import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config';
import { clientAddress } from '../http/client-address';
import { createRateLimiter, rateLimitHook } from '../http/rate-limits';

/** Limits how often an address reads the metrics: to write them down takes 5 ms. */
@Injectable()
export class MetricsLimit implements CanActivate {
  private readonly limit: ReturnType<typeof rateLimitHook>;

  constructor({ httpAdapter }: HttpAdapterHost<FastifyAdapter>, { runtimeRequestsPerMinute: perMinute }: Config) {
    const ofAddress = { name: 'metrics', perMinute, clientOf: clientAddress };
    this.limit = rateLimitHook(createRateLimiter(httpAdapter.getInstance<FastifyInstance>(), ofAddress));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.limit(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return true;
  }
}
