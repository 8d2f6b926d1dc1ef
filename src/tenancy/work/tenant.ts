import type { IfMatch } from '../../platform/api/etag';
import type { IdempotentRequest } from '../../platform/api/idempotent-request';
import { type Actor, THE_SERVICE } from '../access/actor';
import type { Role } from '../access/role';

/** The caller, and the workspace that they act in. */
export interface Tenant {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** The caller's role in the workspace; undefined for the operator and the service. */
  readonly role?: Role;
  /** The versions that a change accepts. */
  readonly ifMatch?: IfMatch;
  /** Takes the version of what the tenant has changed. */
  readonly tellETag?: (etag: string) => void;
  /** The key under which a creation is repeated. */
  readonly idempotent?: IdempotentRequest;
}

/**
 * The workspace of the operator and of people who sign in: they act in none. Idempotency keys of the operator are
 * stored with it.
 */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** The service itself, in a workspace or in none. */
export const theServiceIn = (workspaceId = NO_WORKSPACE): Tenant => ({ workspaceId, actor: THE_SERVICE });
