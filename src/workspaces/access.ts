import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyAccess } from './api-key.entity';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the key of the request opens, and whose it is; set by `Authentication`. */
    grant?: Grant;
    apiKeyId?: string;
  }
}

/** What a key opens: a workspace, to read or to write too, or the routes of the operator. */
export type Grant = ApiKeyAccess | 'operator';

/** Who may call a route. Without a decorator: a workspace with its API key. */
export type Access = 'workspace' | 'operator' | 'public';
export const ACCESS = Symbol('access');

/** A route that anybody may call. */
export const Public = () => applyDecorators(SetMetadata(ACCESS, 'public' satisfies Access), ApiSecurity({}));

/** A route of the operator, with the ADMIN_API_KEY. */
export const OperatorOnly = () =>
  applyDecorators(SetMetadata(ACCESS, 'operator' satisfies Access), ApiBearerAuth('operator_key'));

/** Documents what holds without a decorator: the route takes an API key of a workspace. */
export const WithApiKey = () => ApiBearerAuth('api_key');

/** The id of the workspace that the request is about: the one of its API key, or the one that `TenantGuard` found. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().workspaceId,
);
