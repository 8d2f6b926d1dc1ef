import { jsonRows } from '../platform/database/transaction/json-rows';
import { NOW } from '../platform/database/time';
import { SIGNED_SUBSCRIPTION } from '../sessions/flow-session.entity';
import { type Fulfilment, GIVE_UP_AT } from './fulfilment.entity';
import type { ToldJob } from './shown-fulfilment';

/** A job that a step has left for billing. */
export type NewJob = ToldJob & Pick<Fulfilment, 'flow_session_id'>;

/**
 * Inserts a job for each session that has just ended. $1: the ids of the workspaces; $2: rows of `workspace_id`, `id`,
 * `action`, `mode` and `carried_out_by`, as `jsonRows` takes them. A customer who keeps a subscription that no token
 * named leaves none. Due in a second: by then those before it are committed.
 */
export const LEAVE_JOBS = `
  INSERT INTO fulfilments (workspace_id, flow_session_id, action, mode, carried_out_by, state, subscription_id, billing_customer_id, attempts,
    next_attempt_at, give_up_at, request_number, created_at, updated_at)
  SELECT workspace_id, job.id, action, mode, carried_out_by, 'pending', subscription_id, billing_customer_id, 0,
    ${NOW} + interval '1 second', ${GIVE_UP_AT}, 1, ${NOW}, ${NOW}
  FROM ${jsonRows('$2', 'workspace_id uuid, id uuid, action text, mode text, carried_out_by text')} AS job
  CROSS JOIN LATERAL (
    SELECT ${SIGNED_SUBSCRIPTION} AS subscription_id, billing_customer_id FROM flow_sessions
    WHERE workspace_id = job.workspace_id AND id = job.id LIMIT 1
  ) AS session
  WHERE workspace_id = ANY ($1::uuid[]) AND (action <> 'keep' OR subscription_id IS NOT NULL)
  RETURNING flow_session_id, action, mode, state, carried_out_by`;
