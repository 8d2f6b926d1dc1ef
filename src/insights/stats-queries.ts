import type { EntityManager } from 'typeorm';
import { dateOf } from '../common/days';
import { jsonRows } from '../database/json-rows';
import type { Flow } from '../flows/flow.entity';
import type { CustomersDto, ValueNumbersDto } from './dto/counts.dto';
import type { OfferNumbersDto, ReasonDto } from './dto/stats.dto';
import type { SessionCount } from './session-counts';
import type { SplitOfVersion } from './splits';
import { ADDED, DECIDED, type FactCount, LAST_DECISION, OUTCOME } from './sums/facts';
import { firstIdOfDay, idsOf, type Span } from './sums/span';

export type NamedFlow = Pick<Flow, 'id'> & { name: string };

type OfFlow<Row> = Row & { flow_id: string };

/** The sessions with a value of an attribute, with one of the rarer values, or without the attribute, and their customers. */
export interface AttributeCount extends SessionCount {
  group: 'value' | 'other' | 'none';
  value: ValueNumbersDto['value'];
  customers: CustomersDto;
}

const ATTRIBUTES = 'attributes.';

/** In SQL: facts that are given as JSON. */
const FACTS = `${jsonRows(
  '$2::jsonb',
  'flow_id uuid, version integer, kind text, node_key text, value text, sessions integer, accepted integer, kept integer',
)} AS fact`;

/** Flows with the names of their current versions, newest first. */
export function readFlows(workspaceId: string, ids: string[], manager: EntityManager): Promise<NamedFlow[]> {
  return manager.query(
    `SELECT flow.id, content.name
     FROM flows flow JOIN flow_versions content ON content.workspace_id = flow.workspace_id
       AND content.flow_id = flow.id AND content.version = flow.current_version
     WHERE flow.workspace_id = $1 AND flow.id = ANY ($2::uuid[]) ORDER BY flow.id DESC`,
    [workspaceId, ids],
  );
}

/**
 * The answers in facts, the most frequent first, as the newest version words them. Postgres reads the labels: a version may
 * have 240 KB, too much to load for a few words.
 */
export function readReasons(
  workspaceId: string,
  answers: FactCount[],
  manager: EntityManager,
): Promise<OfFlow<ReasonDto>[]> {
  return manager.query(
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
  manager: EntityManager,
): Promise<OfFlow<OfferNumbersDto>[]> {
  return manager.query(
    `SELECT seen.*, seen.accepted::float / nullif(seen.presented, 0) AS acceptance_rate, offer.name
     FROM (
       SELECT flow_id, value::uuid AS id, coalesce(sum(sessions) FILTER (WHERE kind = 'offer'), 0)::integer AS presented,
         coalesce(sum(accepted) FILTER (WHERE kind = 'offer'), 0)::integer AS accepted,
         coalesce(sum(sessions) FILTER (WHERE kind = 'withheld'), 0)::integer AS withheld
       FROM ${FACTS} GROUP BY flow_id, value
     ) AS seen JOIN offers offer ON offer.workspace_id = $1 AND offer.id = seen.id
     ORDER BY seen.presented DESC, seen.id`,
    [workspaceId, JSON.stringify(facts)],
  );
}

/** The splits that facts are of. */
export function readSplits(workspaceId: string, facts: FactCount[], manager: EntityManager): Promise<SplitOfVersion[]> {
  if (facts.length === 0) return Promise.resolve([]);
  return manager.query(
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
export async function flowsWithDeleted(span: Span, manager: EntityManager): Promise<Set<string>> {
  const { workspaceId, flowId = null, from, to } = span;
  const flows = await manager.query<{ flow_id: string }[]>(
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

/**
 * The sessions and the customers of a flow by an attribute, or by their language: the most frequent values, the most frequent first, then the rest. Values
 * are compared as JSON texts: 1 and "1" are two, null is one. The sums by day don't have them, so all sessions are read.
 */
export function countByAttribute(
  span: Span,
  by: string,
  maxValues: number,
  manager: EntityManager,
): Promise<AttributeCount[]> {
  const [first, end] = idsOf(span);
  const { value, name } = groupedBy(by);
  const number = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
  const sums = 'sum(sessions) AS sessions, sum(accepted) AS accepted, sum(kept) AS kept, sum(canceled) AS canceled';
  return manager.query(
    `WITH session AS (
       SELECT coalesce((${value})::text, '') AS value,
         coalesce(customer_id, erased_customer::text, id::text) AS person, id, ${OUTCOME} AS outcome
       FROM flow_sessions WHERE workspace_id = $1 AND flow_id = $2 AND id >= $3 AND id < $7
       -- As a table of unknown contents, which Postgres groups by hashing instead of sorting.
       OFFSET 0
     ), person AS (
       SELECT value, person, count(*) AS sessions, ${number(`outcome = 'accepted'`)} AS accepted,
         ${number(`outcome = 'kept'`)} AS kept, ${number(`outcome = 'canceled'`)} AS canceled,
         ${number(`outcome = 'in_progress'`)} AS in_progress, ${LAST_DECISION}
       FROM session GROUP BY value, person
     ), ranked AS (
       SELECT value, CASE WHEN value = '' THEN 'none'
           WHEN row_number() OVER (PARTITION BY value = '' ORDER BY sum(sessions) DESC, value) <= $6 THEN 'value'
           ELSE 'other' END AS "group"
       FROM person GROUP BY value
     ), counted AS (
       SELECT "group", person.* FROM person JOIN ranked USING (value) WHERE "group" <> 'other'
       UNION ALL
       -- One who had several of the rare values is one person.
       SELECT 'other', '', person, ${sums}, sum(in_progress), max(last_decision)
       FROM person JOIN ranked USING (value) WHERE "group" = 'other' GROUP BY person
     ), total AS (
       SELECT "group", value, ${ADDED}, json_build_object('total', count(*), 'saved', ${number(`decided IN ('accepted', 'kept')`)},
         'saved_by_offer', ${number(`decided = 'accepted'`)}, 'canceled', ${number(`decided = 'canceled'`)},
         'in_progress', ${number('decided IS NULL AND in_progress > 0')},
         'abandoned', ${number('decided IS NULL AND in_progress = 0')}) AS customers
       FROM (SELECT *, ${DECIDED} AS decided FROM counted) AS counted GROUP BY "group", value
     )
     SELECT "group", CASE "group" WHEN 'value' THEN value::jsonb END AS value, sessions, accepted, kept, canceled, in_progress, customers
     FROM total ORDER BY sessions DESC, total.value`,
    [span.workspaceId, span.flowId, first, span.now, name, maxValues, end],
  );
}

/** What `by` means: the language of a session, or an attribute by its name, which `attributes.` may be in front of. */
function groupedBy(by: string): { value: string; name: string } {
  if (by === 'locale') return { value: `jsonb_build_object('locale', locale) #> ARRAY[$5]`, name: by };
  return {
    value: `customer #> ARRAY['attributes', $5]`,
    name: by.startsWith(ATTRIBUTES) ? by.slice(ATTRIBUTES.length) : by,
  };
}
