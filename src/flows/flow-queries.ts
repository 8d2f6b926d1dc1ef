import { hasPart } from '../platform/api/paging/name-part';
import { Problem } from '../platform/api/problems/problem';
import { prepared, statement } from '../platform/database/transaction/statement';
import { shownTime } from '../platform/database/time';
import type { Reader } from '../tenancy/work/work';
import type { FlowDto } from './dto/flow.dto';
import { FLOW_STATUSES } from './flow.entity';

/** The columns of a list of flows. */
const LISTED = `flow.id, content.name, flow.slug, content.product_name, flow.status, content.flow_mode, flow.current_version,
  ${shownTime('flow.updated_at')} AS updated_at`;

/** The column of each field of a flow. Their order is in its ETag. */
const COLUMNS: Record<keyof FlowDto, string> = {
  id: 'flow.id',
  name: 'content.name',
  slug: 'flow.slug',
  product_name: 'content.product_name',
  status: 'flow.status',
  flow_mode: 'content.flow_mode',
  current_version: 'flow.current_version',
  updated_at: 'flow.updated_at',
  key: 'flow.key',
  cancellation_url: 'content.cancellation_url',
  description: 'flow.description',
  estimated_monthly_value: 'flow.estimated_monthly_value::float8',
  notification_email: 'flow.notification_email',
  metadata: 'flow.metadata',
  exit: 'flow.exit',
  install: 'flow.install',
  offer_ids: 'content.offer_ids',
  survey: 'content.survey',
  locale: 'content.locale',
  definition: 'content.definition',
  cancel_in_billing: 'content.cancel_in_billing',
  after_cancel: 'content.after_cancel',
  canceled_title: 'content.canceled_title',
  canceled_body: 'content.canceled_body',
  translations: 'content.translations',
  audiences_changed: `EXISTS (
    SELECT FROM jsonb_each(content.audiences) AS held (id, "when")
    JOIN audiences AS one ON one.workspace_id = flow.workspace_id AND one.id = held.id::uuid
    WHERE one."when" <> held."when"
  ) AS audiences_changed`,
  created_at: 'flow.created_at',
};
const SHOWN = Object.values(COLUMNS).join(', ');

/**
 * SQL for flows, as `flow`, with their current versions, as `content`. Without LIMIT, Postgres expects a few versions
 * of a flow, and reads all of them to find the current one.
 */
export const CURRENT_FLOWS = `flows AS flow CROSS JOIN LATERAL (
    SELECT * FROM flow_versions AS one
    WHERE one.workspace_id = flow.workspace_id AND one.flow_id = flow.id AND one.version = flow.current_version LIMIT 1
  ) AS content`;

const READ = prepared(
  'flow',
  `SELECT ${SHOWN} FROM ${CURRENT_FLOWS} WHERE flow.workspace_id = :workspace AND flow.id = :flow`,
);

export const READ_MANY = statement(
  `SELECT ${SHOWN} FROM ${CURRENT_FLOWS} WHERE flow.workspace_id = :workspace AND flow.id = ANY (:flows) ORDER BY flow.id`,
);

export const LIST = prepared(
  'flows',
  `SELECT ${LISTED} FROM ${CURRENT_FLOWS}
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses) AND flow.id < :before
  ORDER BY flow.id DESC LIMIT :take`,
);

/** Not prepared: it is asked for less often. */
export const FIND = statement(
  `SELECT ${LISTED} FROM ${CURRENT_FLOWS}
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses) AND flow.id < :before
    AND (:key::text IS NULL OR flow.key = :key) AND (:slug::text IS NULL OR flow.slug = :slug) AND ${hasPart('content.name')}
  ORDER BY flow.id DESC LIMIT :take`,
);

/** It has no name: it looks at all flows of the workspace, and nothing should wait behind it. */
export const LIST_WITH_OFFER = statement(
  `SELECT flow.id, content.name, flow.status, :offer::uuid = ANY (content.offer_ids) AS in_current_version,
    COALESCE(:offer = ANY (draft.offer_ids), false) AS in_draft
  FROM ${CURRENT_FLOWS} LEFT JOIN flow_drafts AS draft ON draft.workspace_id = flow.workspace_id AND draft.flow_id = flow.id
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses)
    AND (:offer = ANY (content.offer_ids) OR :offer = ANY (draft.offer_ids)) AND flow.id < :before
  ORDER BY flow.id DESC LIMIT :take`,
);

/** What lists have, unless they are asked for something else. */
export const NOT_ARCHIVED = FLOW_STATUSES.filter((status) => status !== 'archived');

/** A flow as it is shown. Throws a 404 without it. */
export async function readFlow(reader: Reader, id: string): Promise<FlowDto> {
  const flow = await reader.row<FlowDto>(READ, { flow: id });
  if (!flow) throw new Problem('not_found');
  return flow;
}
