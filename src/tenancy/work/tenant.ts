import type { IfMatch } from '../../platform/api/etag';
import type { IdempotentRequest } from '../../platform/api/idempotent-request';
import { NO_WORKSPACE } from '../../platform/database/transaction/idempotency.service';
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
  /** The key under which a creation is repeated. */
  readonly idempotent?: IdempotentRequest;
}

/** The service itself, in a workspace or in none. */
export const theServiceIn = (workspaceId = NO_WORKSPACE): Tenant => ({ workspaceId, actor: THE_SERVICE });
