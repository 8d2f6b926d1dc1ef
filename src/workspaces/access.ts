import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyAccess } from './api-key.entity';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's key gives access to. `Authentication` sets it. */
    grant?: Grant;
    apiKeyId?: string;
  }
}

/** What a key gives access to: reading a workspace, reading and writing it, or the operator's routes. */
export type Grant = ApiKeyAccess | 'operator';

/** The access to a route. Without a decorator, a route takes an API key of a workspace. */
export type Access = 'workspace' | 'operator' | 'public';
export const ACCESS = Symbol('access');

/** A route that anybody may call. */
export const Public = () => applyDecorators(SetMetadata(ACCESS, 'public' satisfies Access), ApiSecurity({}));

/** A route of the operator, with the ADMIN_API_KEY. */
export const OperatorOnly = () =>
  applyDecorators(SetMetadata(ACCESS, 'operator' satisfies Access), ApiBearerAuth('operator_key'));

/** Documents that a route takes an API key of a workspace, which is the rule without a decorator. */
export const WithApiKey = () => ApiBearerAuth('api_key');

/** The id of the workspace that the request is about: the one of its API key, or the one that `TenantGuard` found. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().workspaceId,
);
