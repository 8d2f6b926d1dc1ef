import type { EntityManager } from 'typeorm';
import type { Flow } from '../flows/flow.entity';
import { statusAt } from '../runtime/session-status';
import type { SessionCount } from './session-counts';

/** The sessions that statistics are about. */
export interface Span {
  workspaceId: string;
  /** One flow; undefined: all of the workspace. */
  flowId?: string;
  /** The ids that the span begins with and ends before: ids contain the time of the start. */
  firstId: string;
  endId: string;
  /** The moment for which statuses are worked out. */
  now: Date;
}

export type NamedFlow = Pick<Flow, 'id' | 'estimated_monthly_value'> & { name: string };

export type FlowSessionCount = SessionCount & { flow_id: string };

export interface ReasonCount {
  flow_id: string;
  node_key: string;
  option: string;
  /** The wording of the newest version in which the option was chosen. */
  label: string;
  sessions: number;
  saved: number;
}

export interface OfferCount {
  flow_id: string;
  id: string;
  name: string;
  presented: number;
  accepted: number;
}

/** Flows with the names of their current versions, newest first. */
export function readFlows(workspaceId: string, ids: string[], manager: EntityManager): Promise<NamedFlow[]> {
  return manager.query(
    `SELECT flow.id, content.name, flow.estimated_monthly_value::float AS estimated_monthly_value
     FROM flows flow JOIN flow_versions content ON content.workspace_id = flow.workspace_id
       AND content.flow_id = flow.id AND content.version = flow.current_version
     WHERE flow.workspace_id = $1 AND flow.id = ANY ($2::uuid[]) ORDER BY flow.id DESC`,
    [workspaceId, ids],
  );
}

export function countSessions(span: Span, manager: EntityManager): Promise<FlowSessionCount[]> {
  const { where, parameters } = sessionsOf(span);
  const now = `$${parameters.length + 1}::timestamptz`;
  return manager.query(
    `SELECT s.flow_id, s.flow_version AS version, s.accepted_offer IS NOT NULL AS accepted,
       ${statusAt(now, 's')} AS status, count(*)::integer AS sessions
     FROM flow_sessions s WHERE ${where} GROUP BY 1, 2, 3, 4`,
    [...parameters, span.now],
  );
}

/** The most frequent first. Postgres reads the labels: a version may have 240 KB, too much to load for a few words. */
export function countReasons(span: Span, manager: EntityManager): Promise<ReasonCount[]> {
  const { where, parameters } = sessionsOf(span);
  return manager.query(
    `SELECT given.flow_id, given.node_key, given.option, given.sessions, given.saved,
       jsonb_path_query_first(content.definition,
         '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
         jsonb_build_object('node', given.node_key, 'option', given.option)) #>> '{}' AS label
     FROM (
       SELECT s.flow_id, step.node_key, step.option, max(s.flow_version) AS version,
         count(DISTINCT s.id)::integer AS sessions,
         (count(DISTINCT s.id) FILTER (WHERE s.status = 'saved'))::integer AS saved
       FROM flow_sessions s JOIN session_steps step
         ON step.workspace_id = s.workspace_id AND step.flow_session_id = s.id
       WHERE ${where} AND step.action = 'answer' GROUP BY 1, 2, 3
     ) given JOIN flow_versions content ON content.workspace_id = $1
       AND content.flow_id = given.flow_id AND content.version = given.version
     ORDER BY given.sessions DESC, given.option, given.node_key`,
    parameters,
  );
}

/** The most presented first. An offer was presented if the customer answered it, or is looking at it now. */
export function countOffers(span: Span, manager: EntityManager): Promise<OfferCount[]> {
  const { where, parameters } = sessionsOf(span);
  return manager.query(
    `SELECT seen.flow_id, offer.id, offer.name, count(DISTINCT seen.id)::integer AS presented,
       (count(DISTINCT seen.id) FILTER (WHERE seen.accepted))::integer AS accepted
     FROM (
       SELECT s.flow_id, s.id, step.offer ->> 'id' AS offer_id, step.action = 'accept' AS accepted
       FROM flow_sessions s JOIN session_steps step
         ON step.workspace_id = s.workspace_id AND step.flow_session_id = s.id
       WHERE ${where} AND step.offer IS NOT NULL
       UNION ALL
       SELECT s.flow_id, s.id, s.presented_offer ->> 'id', false
       FROM flow_sessions s WHERE ${where} AND s.presented_offer IS NOT NULL
     ) seen JOIN offers offer ON offer.workspace_id = $1 AND offer.id = seen.offer_id::uuid
     GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2`,
    parameters,
  );
}

/** A condition for the sessions of a span. Its parameters are $1 to $3 and, for one flow, $4. */
function sessionsOf({ workspaceId, flowId, firstId, endId }: Span): { where: string; parameters: string[] } {
  const where = 's.workspace_id = $1 AND s.id >= $2 AND s.id < $3';
  return flowId
    ? { where: `${where} AND s.flow_id = $4`, parameters: [workspaceId, firstId, endId, flowId] }
    : { where, parameters: [workspaceId, firstId, endId] };
}
