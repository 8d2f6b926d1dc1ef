import { timingSafeEqual } from 'node:crypto';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { Access, ACCESS } from './access';
import { hashOf } from './api-key-secret';
import { ApiKeysService } from './api-keys.service';

const READING = new Set(['GET', 'HEAD']);

/** Guards every route: an API key is asked for unless the route says that it is public or the operator's. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeysService,
    private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return access === 'operator' ? this.admitOperator(request) : this.admitWorkspace(request);
  }

  private admitOperator(request: FastifyRequest): true {
    const { adminApiKey } = this.config;
    if (!adminApiKey) throw new Problem('not_found');
    if (!timingSafeEqual(hashOf(bearerToken(request)), hashOf(adminApiKey))) throw new Problem('invalid_token');
    return true;
  }

  private async admitWorkspace(request: FastifyRequest): Promise<true> {
    const key = await this.apiKeys.findUsable(bearerToken(request));
    if (!key) throw new Problem('invalid_token');
    if (key.access === 'read' && !READING.has(request.method)) throw new Problem('insufficient_scope');
    request.workspaceId = key.workspace_id;
    return true;
  }
}

/** The token of `Authorization: Bearer …` (RFC 6750). */
function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new Problem('unauthorized');
  return token;
}
