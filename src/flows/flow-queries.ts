import type { EntityManager } from 'typeorm';
import { Problem } from '../common/problem';
import type { FlowDto } from './dto/flow.dto';

/** What a list of flows shows. */
const LISTED = `flow.id, content.name, flow.slug, content.product_name, flow.status, content.flow_mode, flow.current_version,
  flow.updated_at`;

const SHOWN = `${LISTED}, flow.key, content.cancellation_url, flow.description, flow.estimated_monthly_value::float8,
  flow.notification_email, flow.metadata, flow.exit, content.offer_ids, content.survey, content.locale,
  content.definition, content.cancel_in_billing, flow.created_at`;

/** Flows with their current versions. */
const CURRENT = `flows AS flow JOIN flow_versions AS content
    ON content.workspace_id = flow.workspace_id AND content.flow_id = flow.id AND content.version = flow.current_version`;

/** $1: a workspace. $2: a flow. */
export const READ = `SELECT ${SHOWN} FROM ${CURRENT} WHERE flow.workspace_id = $1 AND flow.id = $2`;

/** $1: a workspace. $2: flows. */
export const READ_MANY = `SELECT ${SHOWN} FROM ${CURRENT} WHERE flow.workspace_id = $1 AND flow.id = ANY ($2) ORDER BY flow.id`;

/** $1: a workspace. $2: statuses. $3: ids are below. $4: the most flows. */
export const LIST = `
  SELECT ${LISTED} FROM ${CURRENT}
  WHERE flow.workspace_id = $1 AND flow.status = ANY ($2) AND flow.id < $3 ORDER BY flow.id DESC LIMIT $4`;

/** $1: a workspace. $2: statuses. $3: an offer that the flows name. $4: ids are below. $5: the most flows. */
export const LIST_WITH_OFFER = `
  SELECT flow.id, content.name, flow.status, $3::uuid = ANY (content.offer_ids) AS in_current_version,
    COALESCE($3 = ANY (draft.offer_ids), false) AS in_draft
  FROM ${CURRENT} LEFT JOIN flow_drafts AS draft ON draft.workspace_id = flow.workspace_id AND draft.flow_id = flow.id
  WHERE flow.workspace_id = $1 AND flow.status = ANY ($2) AND ($3 = ANY (content.offer_ids) OR $3 = ANY (draft.offer_ids))
    AND flow.id < $4 ORDER BY flow.id DESC LIMIT $5`;

/** A flow as it is shown, in a transaction. */
export async function readFlow(workspaceId: string, id: string, manager: EntityManager): Promise<FlowDto> {
  const [flow] = await manager.query<FlowDto[]>(READ, [workspaceId, id]);
  if (!flow) throw new Problem('not_found');
  return flow;
}
