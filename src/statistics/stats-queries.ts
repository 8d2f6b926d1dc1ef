import { dateOf } from '../platform/common/days';
import { jsonRows } from '../platform/database/transaction/json-rows';
import { Problem } from '../platform/api/problems/problem';
import type { FlowDefinition } from '../flows/graph/flow-definition';
import type { FlowVersion } from '../flows/versions/flow-version.entity';
import type { Flow } from '../flows/flow.entity';
import { IS_CUSTOMERS } from '../sessions/session-source';
import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import type { OfferNumbersDto, ReasonDto } from './dto/stats.dto';
import type { SplitOfVersion } from './experiments/splits';
import type { FactCount } from './sums/facts';
import { firstIdOfDay, type Span } from './sums/span';

type OfFlow<Row> = Row & { flow_id: string };

/** SQL for facts that are given as JSON. */
const FACTS = `${jsonRows(
  ':facts::jsonb',
  'flow_id uuid, version integer, kind text, node_key text, value text, sessions integer, accepted integer, kept integer, contacted integer',
)} AS fact`;

const FLOW = statement('SELECT id, current_version FROM flows WHERE workspace_id = :workspace AND id = :flow');

/** Throws a 404 if the workspace has no such flow. */
export async function findFlow(flow: string, reader: Reader): Promise<Pick<Flow, 'id' | 'current_version'>> {
  const found = await reader.row<Pick<Flow, 'id' | 'current_version'>>(FLOW, { flow });
  if (!found) throw new Problem('not_found');
  return found;
}

const DEFINITION = statement(
  'SELECT definition FROM flow_versions WHERE workspace_id = :workspace AND flow_id = :flow AND version = :version',
);

/** Throws a 404 if the flow has no such version. */
export async function findDefinition(flow: string, version: number, reader: Reader): Promise<FlowDefinition> {
  const found = await reader.row<Pick<FlowVersion, 'definition'>>(DEFINITION, { flow, version });
  if (!found) throw new Problem('not_found');
  return found.definition;
}

const REASONS = statement(
  `SELECT answer.flow_id, answer.node_key, answer.option, answer.sessions, answer.saved,
       jsonb_path_query_first(content.definition,
         '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
         jsonb_build_object('node', answer.node_key, 'option', answer.option)) #>> '{}' AS label
     FROM (
       SELECT flow_id, max(version) AS version, node_key, value AS option, sum(sessions)::integer AS sessions,
         sum(accepted + kept)::integer AS saved
       FROM ${FACTS} GROUP BY flow_id, node_key, value
     ) AS answer JOIN flow_versions content ON content.workspace_id = :workspace
       AND content.flow_id = answer.flow_id AND content.version = answer.version
     ORDER BY answer.sessions DESC, answer.option, answer.node_key`,
);

/**
 * The answers in facts, the most frequent first, as the newest version words them. Postgres reads the labels: a version
 * may have 240 KB, too much to load for a few words.
 */
export function readReasons(answers: FactCount[], reader: Reader): Promise<OfFlow<Omit<ReasonDto, 'value'>>[]> {
  return reader.rows(REASONS, { facts: JSON.stringify(answers) });
}

const OFFERS = statement(
  `SELECT seen.*, (seen.accepted + seen.contacted)::float / nullif(seen.presented, 0) AS acceptance_rate, offer.name
     FROM (
       SELECT flow_id, value::uuid AS id, coalesce(sum(sessions) FILTER (WHERE kind = 'offer'), 0)::integer AS presented,
         coalesce(sum(accepted) FILTER (WHERE kind = 'offer'), 0)::integer AS accepted,
         coalesce(sum(contacted) FILTER (WHERE kind = 'offer'), 0)::integer AS contacted,
         coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'sessions', sessions) ORDER BY sessions DESC, reason)
           FILTER (WHERE kind = 'withheld'), '[]') AS withheld
       FROM (
         SELECT flow_id, value, kind, coalesce(nullif(node_key, ''), 'limit') AS reason, sum(sessions)::integer AS sessions,
           sum(accepted)::integer AS accepted, sum(contacted)::integer AS contacted
         FROM ${FACTS} GROUP BY flow_id, value, kind, reason
       ) AS counted GROUP BY flow_id, value
     ) AS seen JOIN offers offer ON offer.workspace_id = :workspace AND offer.id = seen.id
     ORDER BY seen.presented DESC, seen.id`,
);

/** The offers that were presented or withheld, the most presented first. */
export function readOffers(
  facts: FactCount[],
  reader: Reader,
): Promise<OfFlow<Omit<OfferNumbersDto, 'lasting' | 'value'>>[]> {
  return reader.rows(OFFERS, { facts: JSON.stringify(facts) });
}

/** SQL for a split of a version, and since when it is live: a draft has versions, too. */
const SPLIT = `content.flow_id, content.version, split ->> 'key' AS node_key, split -> 'config' AS config,
       content.draws -> (split ->> 'key') AS draw,
       greatest(content.created_at, (SELECT first_published_at FROM flows WHERE workspace_id = :workspace AND id = content.flow_id)) AS since`;

const SPLITS = statement(
  `SELECT ${SPLIT}
     FROM (SELECT DISTINCT flow_id, version, node_key FROM ${FACTS}) AS counted
       JOIN flow_versions content ON content.workspace_id = :workspace
         AND content.flow_id = counted.flow_id AND content.version = counted.version,
       jsonb_path_query(content.definition, '$.nodes[*] ? (@.type == "split" && @.key == $node)',
         jsonb_build_object('node', counted.node_key)) AS split`,
);

/** The splits that facts are of. */
export async function readSplits(facts: FactCount[], reader: Reader): Promise<SplitOfVersion[]> {
  return facts.length === 0 ? [] : reader.rows(SPLITS, { facts: JSON.stringify(facts) });
}

const EARLIER_SPLITS = statement(
  `SELECT ${SPLIT}
     FROM ${jsonRows(':splits::jsonb', 'flow_id uuid, version integer, node_key text')} AS given
       CROSS JOIN LATERAL (
         SELECT * FROM flow_versions WHERE workspace_id = :workspace AND flow_versions.flow_id = given.flow_id
           AND flow_versions.version < given.version
         ORDER BY flow_versions.version DESC LIMIT :most
       ) AS content,
       jsonb_path_query(content.definition, '$.nodes[*] ? (@.type == "split" && @.key == $node)',
         jsonb_build_object('node', given.node_key)) AS split`,
);

/** The same splits in earlier versions: the newest `most` versions of each. */
export async function readEarlierSplits(
  splits: Pick<SplitOfVersion, 'flow_id' | 'version' | 'node_key'>[],
  most: number,
  reader: Reader,
): Promise<SplitOfVersion[]> {
  return splits.length === 0 ? [] : reader.rows(EARLIER_SPLITS, { splits: JSON.stringify(splits), most });
}

/** Those of some days of flows on whose first day fewer sessions are left than the sums of that day say. */
const WITH_DELETED = statement(
  `WITH given AS (
    SELECT DISTINCT flow_id, first_day FROM ${jsonRows(':given::jsonb', 'flow_id uuid, first_day date')} AS given
  ), first AS (
    SELECT given.*, sum.day, sum.sessions FROM given CROSS JOIN LATERAL (
      SELECT day, sum(sessions) AS sessions FROM daily_sums
      WHERE workspace_id = :workspace AND daily_sums.flow_id = given.flow_id AND kind = 'session'
        AND day BETWEEN first_day AND :last_day::date
      GROUP BY day ORDER BY day LIMIT 1
    ) AS sum
  )
  SELECT flow_id, first_day::text FROM first
  WHERE sessions > (SELECT count(*) FROM flow_sessions WHERE workspace_id = :workspace AND flow_sessions.flow_id = first.flow_id AND ${IS_CUSTOMERS}
    AND id >= ${firstIdOfDay('first.day')} AND id < ${firstIdOfDay('first.day + 1')})`,
);

/** Sessions of a flow from a time on. */
export interface Since {
  flow_id: string;
  from: Date;
}

/**
 * Says of which flows sessions were deleted that began at a time or later, and before the end of a span. Deletion takes
 * the oldest sessions first, and only summed ones: if the first day has as many as its sums say, none is missing.
 */
export async function deletedOf(given: Since[], { to }: Span, reader: Reader): Promise<(since: Since) => boolean> {
  if (given.length === 0) return () => false;
  const days = given.map(({ flow_id, from }) => ({ flow_id, first_day: dateOf(from) }));
  const last_day = dateOf(new Date(to.getTime() - 1));
  type Row = { flow_id: string; first_day: string };
  const found = await reader.rows<Row>(WITH_DELETED, { given: JSON.stringify(days), last_day });
  const deleted = new Set(found.map(({ flow_id, first_day }) => `${flow_id} ${first_day}`));
  return ({ flow_id, from }) => deleted.has(`${flow_id} ${dateOf(from)}`);
}
