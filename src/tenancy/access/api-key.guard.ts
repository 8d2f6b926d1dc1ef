import {
  applyDecorators,
  CanActivate,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/api/problems/problem';
import type { Actor } from './actor';
import type { SignedInPerson } from './signed-in-person';
import { isAtLeast, type Role } from './role';

/**
 * Who may call a route:
 * - `public`: anybody
 * - `operator`: the operator
 * - `actor`: whoever has a key or is signed in, in whatever workspace
 * - `person`: whoever is signed in, in whatever workspace
 * - a role: an actor who has it in the workspace, or only a person who has it
 */
type Access = 'public' | 'operator' | 'actor' | 'person' | { least: Role; isForPeople?: true };
const ACCESS = Symbol('access');
/** Where the OpenAPI document says which role a route needs. */
export const ROLE_EXTENSION = 'x-least-role';

/**
 * Guards every route, for API keys, people and the operator. A route that doesn't declare who may call it refuses
 * everybody.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, places);
    if (access === 'public') return true;
    const { actor, person, role } = requestIn(context);
    if (!access || !actor || (access === 'operator') !== (actor.type === 'operator')) throw new Problem('unauthorized');
    const needed = typeof access === 'object' ? access : undefined;
    if (!person && (access === 'person' || needed?.isForPeople)) throw new Problem('person_required');
    if (needed) requireRole(role, needed.least, actor);
    return true;
  }
}

/** For what needs more than its route. Throws a 403 without the role. */
export function requireRole(role: Role | undefined, least: Role, { type }: Actor): void {
  if (!role) throw Problem.ofHeader('Workspace-Id', 'must name one of your workspaces');
  if (!isAtLeast(role, least)) throw new Problem(type === 'api_key' ? 'insufficient_scope' : 'insufficient_role');
}

const AccessFor = (access: Access) => SetMetadata(ACCESS, access);

/** A route that anybody may call. */
export const Public = () => applyDecorators(AccessFor('public'), ApiSecurity({}));

/** A route of the operator, with the ADMIN_API_KEY. */
export const OperatorOnly = () => applyDecorators(AccessFor('operator'), ApiBearerAuth('operator_key'));

/**
 * A route for API keys and people with at least this role in the workspace: a key that may only read is a `viewer`, any
 * other an `owner`.
 */
export const LeastRole = (least: Role) =>
  applyDecorators(
    AccessFor({ least }),
    ApiBearerAuth('api_key'),
    ApiCookieAuth('session'),
    ApiExtension(ROLE_EXTENSION, least),
  );

/** A route for people alone: no key may say who comes and goes. */
export const LeastRoleOfPerson = (least: Role) =>
  applyDecorators(
    AccessFor({ least, isForPeople: true }),
    ApiCookieAuth('session'),
    ApiExtension(ROLE_EXTENSION, least),
  );

/** A route for whoever asks, about nothing but themselves. */
export const AnyActor = () => applyDecorators(AccessFor('actor'), ApiBearerAuth('api_key'), ApiCookieAuth('session'));

/** A route for whoever is signed in, about nothing but themselves. */
export const AnyPerson = () => applyDecorators(AccessFor('person'), ApiCookieAuth('session'));

/** The id of the workspace that the request is about: the one of its actor, or the one that `TenantGuard` found. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestIn(context).workspaceId,
);

/** The caller of a route for people. */
export const CurrentPerson = createParamDecorator((_: unknown, context: ExecutionContext) => requestIn(context).person);

/** All that is known of who asks. */
export interface Asking {
  actor: Actor;
  person?: SignedInPerson;
  role?: Role;
  workspaceId?: string;
}

/** All that is known of who asks, on a route about nothing but them. */
export const WhoAsks = createParamDecorator((_: unknown, context: ExecutionContext): Asking => {
  const { actor, person, role, workspaceId } = requestIn(context);
  return { actor: actor!, person, role, workspaceId };
});

function requestIn(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}
