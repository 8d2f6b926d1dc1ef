import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ifMatchOf } from '../../platform/http/server/etag-headers';
import { idempotentRequestOf } from '../../platform/http/bodies/idempotent-creation';
import { NO_WORKSPACE, type Tenant } from '../work/tenant';

/** The tenant of a request, as a parameter of its handler. The operator acts in `NO_WORKSPACE`. */
export const CurrentTenant = createParamDecorator((_: unknown, context: ExecutionContext): Tenant => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { actor, role, workspaceId = actor?.type === 'operator' ? NO_WORKSPACE : undefined } = request;
  if (!actor || !workspaceId) throw new Error('Nobody of a workspace may call this route');
  const { tellsETag } = request.routeOptions.config;
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const tellETag = tellsETag && ((etag: string) => void reply.header('etag', etag));
  const idempotent = idempotentRequestOf(request);
  return { workspaceId, actor, role, ifMatch: ifMatchOf(request), tellETag, idempotent };
});
