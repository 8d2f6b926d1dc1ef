import { timingSafeEqual } from 'node:crypto';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { addressOf, createRateLimiter, type RateLimiter } from '../http/rate-limits';
import { Config } from '../config';
import { Access, ACCESS } from './access';
import type { ApiKey } from './api-key.entity';
import { hashOf } from './api-key-secret';
import { ApiKeysService } from './api-keys.service';

const READING = new Set(['GET', 'HEAD']);
const FAILURES_PER_MINUTE = 20;

/**
 * Guards every route: an API key is asked for unless the route says that it is public or the operator's. What carries a
 * key counts against the rate limit of that key; what carries none that is good, against the one of its address.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly limitKey: RateLimiter;
  private readonly limitFailures: RateLimiter;

  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeysService,
    private readonly config: Config,
    { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
  ) {
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    const perMinute = config.managementRequestsPerMinute;
    this.limitKey = createRateLimiter(fastify, {
      name: 'management',
      perMinute,
      clientOf: ({ apiKeyId }) => apiKeyId ?? 'operator',
    });
    this.limitFailures = createRateLimiter(fastify, {
      name: 'authentication',
      perMinute: perMinute && FAILURES_PER_MINUTE,
      clientOf: addressOf,
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const key = await this.recognise(access, request).catch(async (error: unknown) => {
      if (error instanceof Problem && error.status === 401) await this.limitFailures(request, reply);
      throw error;
    });
    request.apiKeyId = key?.id;
    request.workspaceId = key?.workspace_id;
    await this.limitKey(request, reply);
    if (key?.access === 'read' && !READING.has(request.method)) throw new Problem('insufficient_scope');
    return true;
  }

  /** The workspace's key that the request carries, or undefined for the operator's. */
  private async recognise(access: Access | undefined, request: FastifyRequest): Promise<ApiKey | undefined> {
    const { adminApiKey } = this.config;
    if (access === 'operator') {
      if (!adminApiKey) throw new Problem('not_found');
      if (!timingSafeEqual(hashOf(bearerToken(request)), hashOf(adminApiKey))) throw new Problem('invalid_token');
      return undefined;
    }
    const key = await this.apiKeys.findUsable(bearerToken(request));
    if (!key) throw new Problem('invalid_token');
    return key;
  }
}

/** The token of `Authorization: Bearer …` (RFC 6750). */
function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new Problem('unauthorized');
  return token;
}
