import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../common/problem';
import { Access, ACCESS } from './access';

const READING = new Set(['GET', 'HEAD']);

/** Guards every route: it takes an API key, unless a decorator makes it public or the operator's. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const { grant, method } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!grant || (access === 'operator') !== (grant === 'operator')) throw new Problem('unauthorized');
    if (grant === 'read' && !READING.has(method)) throw new Problem('insufficient_scope');
    return true;
  }
}
