import type { Server, Socket } from 'node:net';
import type { FoundFlow } from '../flows/lookup/flow-lookup.service';
import type { FieldError, Problem } from '../platform/api/problems/problem';
import type { Unanswered } from '../platform/http/server/deadline';
import type { KnownRoute, Surface } from '../platform/http/surface';
import type { Actor } from '../tenancy/access/actor';
import type { Role } from '../tenancy/access/role';
import type { SignedInPerson } from '../tenancy/access/signed-in-person';

/** All that the service adds to what Fastify has, in the order in which a request gets it. */
declare module 'fastify' {
  interface FastifyInstance {
    /** All routes, as they were registered. */
    knownRoutes: KnownRoute[];
    /**
     * The request of each connection that waits for its response. Lost connections are removed within half a second.
     */
    unanswered: Map<Socket, Unanswered>;
    /** Takes connections at OPERATION_PORT; undefined without one. */
    operation?: Server;
  }

  /** What a route declares. */
  interface FastifyContextConfig {
    /** Its path decides, if the route does not say. */
    surface?: Surface;
    /** How long a response of the route may take to begin, in milliseconds. */
    deadlineMs?: number;
    /** Whether the body is a file. */
    takesFiles?: boolean;
    /** The limits of a route that accepts larger bodies than others. Without `bytes`, the usual limit applies. */
    largeBody?: { values: number; bytes?: number };
    /** Whether the route takes the header `If-Match`. */
    takesIfMatch?: true;
    /** Whether an ETag leaves out fields that change although nobody changes them. */
    moves?: boolean;
    /** Whether the answer to a change has the new `ETag` of what was changed. */
    tellsETag?: true;
    /** Whether the route takes the header `Idempotency-Key`, and stores its answer. */
    isIdempotent?: true;
    /** Whether the route shows one thing that can be changed. */
    hasETag?: true;
    /**
     * Which slots of `ManagementLimits` a route of the management interface takes, if not those of a change or a short
     * read: those of long reads, or whichever its service takes itself.
     */
    slots?: 'long' | 'own';
    /** Where to find what the route creates: a path with the name of a field of the response, such as `:id`. */
    createdAt?: string;
  }

  interface FastifyRequest {
    /** The surface of its route. */
    surface: Surface;
    /**
     * The tenant: the workspace that the request is about. `Authentication` or `TenantGuard` sets it, and the log names
     * it.
     */
    workspaceId?: string;
    /** The caller: an API key, a person or the operator. Set by `Authentication`. */
    actor?: Actor;
    /** The id of the API key that the request came with. Set by `Authentication`. */
    apiKeyId?: string;
    /** The person who asks, by the cookie of their session. Set by `Authentication`. */
    person?: SignedInPerson;
    /**
     * The actor's role in the workspace. Undefined if a person of several workspaces names none of them. Set by
     * `Authentication`.
     */
    role?: Role;
    /** The flow whose slug a start names. Set by `TenantGuard`. */
    flow?: FoundFlow;
    /** What was left out of the request, and did not make it fail. */
    warnings?: FieldError[];
    /** The problem in the response. */
    problem?: Problem;
  }
}
