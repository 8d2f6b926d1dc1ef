import { dateOf } from '../platform/common/days';
import { Problem } from '../platform/api/problem';
import { jsonRows } from '../platform/database/json-rows';
import type { Queries } from '../platform/database/transactions';
import type { FlowDefinition } from '../flows/flow-definition';
import type { FlowVersion } from '../flows/flow-version.entity';
import type { Flow } from '../flows/flow.entity';
import type { OfferNumbersDto, ReasonDto } from './dto/stats.dto';
import type { SplitOfVersion } from './splits';
import type { FactCount } from './sums/facts';
import { firstIdOfDay, type Span } from './sums/span';

type OfFlow<Row> = Row & { flow_id: string };

/** In SQL: facts that are given as JSON. */
const FACTS = `${jsonRows(
  '$2::jsonb',
  'flow_id uuid, version integer, kind text, node_key text, value text, sessions integer, accepted integer, kept integer',
)} AS fact`;

/** Throws a 404 if the workspace has no such flow. */
export async function findFlow(
  workspaceId: string,
  id: string,
  queries: Queries,
): Promise<Pick<Flow, 'id' | 'current_version'>> {
  const [flow] = await queries.query<Pick<Flow, 'id' | 'current_version'>[]>(
    `SELECT id, current_version FROM flows WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  if (!flow) throw new Problem('not_found');
  return flow;
}

/** Throws a 404 if the flow has no such version. */
export async function findDefinition(
  workspaceId: string,
  flowId: string,
  version: number,
  queries: Queries,
): Promise<FlowDefinition> {
  const [found] = await queries.query<Pick<FlowVersion, 'definition'>[]>(
    `SELECT definition FROM flow_versions WHERE workspace_id = $1 AND flow_id = $2 AND version = $3`,
    [workspaceId, flowId, version],
  );
  if (!found) throw new Problem('not_found');
  return found.definition;
}

/**
 * The answers in facts, the most frequent first, as the newest version words them. Postgres reads the labels: a version may
 * have 240 KB, too much to load for a few words.
 */
export function readReasons(workspaceId: string, answers: FactCount[], queries: Queries): Promise<OfFlow<ReasonDto>[]> {
  return queries.query(
    `SELECT answer.flow_id, answer.node_key, answer.option, answer.sessions, answer.saved,
       jsonb_path_query_first(content.definition,
         '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
         jsonb_build_object('node', answer.node_key, 'option', answer.option)) #>> '{}' AS label
     FROM (
       SELECT flow_id, max(version) AS version, node_key, value AS option, sum(sessions)::integer AS sessions,
         sum(accepted + kept)::integer AS saved
       FROM ${FACTS} GROUP BY flow_id, node_key, value
     ) AS answer JOIN flow_versions content ON content.workspace_id = $1
       AND content.flow_id = answer.flow_id AND content.version = answer.version
     ORDER BY answer.sessions DESC, answer.option, answer.node_key`,
    [workspaceId, JSON.stringify(answers)],
  );
}

/** The offers that were presented or withheld, the most presented first. */
export function readOffers(
  workspaceId: string,
  facts: FactCount[],
  queries: Queries,
): Promise<OfFlow<OfferNumbersDto>[]> {
  return queries.query(
    `SELECT seen.*, seen.accepted::float / nullif(seen.presented, 0) AS acceptance_rate, offer.name
     FROM (
       SELECT flow_id, value::uuid AS id, coalesce(sum(sessions) FILTER (WHERE kind = 'offer'), 0)::integer AS presented,
         coalesce(sum(accepted) FILTER (WHERE kind = 'offer'), 0)::integer AS accepted,
         coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'sessions', sessions) ORDER BY sessions DESC, reason)
           FILTER (WHERE kind = 'withheld'), '[]') AS withheld
       FROM (
         SELECT flow_id, value, kind, coalesce(nullif(node_key, ''), 'limit') AS reason, sum(sessions)::integer AS sessions,
           sum(accepted)::integer AS accepted
         FROM ${FACTS} GROUP BY flow_id, value, kind, reason
       ) AS counted GROUP BY flow_id, value
     ) AS seen JOIN offers offer ON offer.workspace_id = $1 AND offer.id = seen.id
     ORDER BY seen.presented DESC, seen.id`,
    [workspaceId, JSON.stringify(facts)],
  );
}

/** The splits that facts are of. */
export function readSplits(workspaceId: string, facts: FactCount[], queries: Queries): Promise<SplitOfVersion[]> {
  if (facts.length === 0) return Promise.resolve([]);
  return queries.query(
    `SELECT content.flow_id, content.version, split ->> 'key' AS node_key, split -> 'config' AS config
     FROM (SELECT DISTINCT flow_id, version, node_key FROM ${FACTS}) AS counted
       JOIN flow_versions content ON content.workspace_id = $1
         AND content.flow_id = counted.flow_id AND content.version = counted.version,
       jsonb_path_query(content.definition, '$.nodes[*] ? (@.type == "split" && @.key == $node)',
         jsonb_build_object('node', counted.node_key)) AS split`,
    [workspaceId, JSON.stringify(facts)],
  );
}

/**
 * The flows of which sessions of a span were deleted. The oldest are deleted first, and only those that are in sums: so if there are
 * as many as the sums say of the first of its days, there are all.
 */
export async function flowsWithDeleted(span: Span, queries: Queries): Promise<Set<string>> {
  const { workspaceId, flowId = null, from, to } = span;
  const flows = await queries.query<{ flow_id: string }[]>(
    `WITH sum AS (
       SELECT flow_id, day, sum(sessions) AS sessions FROM daily_sums
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR flow_id = $2) AND kind = 'session' AND day BETWEEN $3::date AND $4::date
       GROUP BY flow_id, day
     ), first AS (
       SELECT DISTINCT ON (flow_id) * FROM sum ORDER BY flow_id, day
     )
     SELECT flow_id FROM first
     WHERE sessions > (SELECT count(*) FROM flow_sessions WHERE workspace_id = $1 AND flow_sessions.flow_id = first.flow_id
       AND id >= ${firstIdOfDay('first.day')} AND id < ${firstIdOfDay('first.day + 1')})`,
    [workspaceId, flowId, dateOf(from), dateOf(new Date(to.getTime() - 1))],
  );
  return new Set(flows.map(({ flow_id }) => flow_id));
}
