import type { EntityManager } from 'typeorm';
import { jsonRows } from '../database/json-rows';
import type { Flow } from '../flows/flow.entity';
import { statusAt } from '../runtime/session-status';
import type { CustomerDetails } from '../runtime/flow-session.entity';
import type { SessionCount } from './session-counts';
import type { SplitOfVersion } from './splits';
import { partsOf, type Span } from './sums/span';

export type NamedFlow = Pick<Flow, 'id' | 'estimated_monthly_value'> & { name: string };

/** How many sessions answered a survey with an option. */
export interface ReasonCount {
  flow_id: string;
  /** The newest version in which the option was chosen. */
  version: number;
  node_key: string;
  option: string;
  sessions: number;
  saved: number;
}

export interface OfferCount {
  flow_id: string;
  id: string;
  presented: number;
  accepted: number;
}

/** The sessions with a value of an attribute, with one of the rarer values, or without the attribute. */
export interface AttributeCount extends SessionCount {
  group: 'value' | 'other' | 'none';
  value: NonNullable<CustomerDetails['attributes']>[string];
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

/** The most frequent first. Postgres reads the labels: a version may have 240 KB, too much to load for a few words. */
export function withLabels(
  workspaceId: string,
  counts: ReasonCount[],
  manager: EntityManager,
): Promise<(ReasonCount & { label: string })[]> {
  const columns = 'flow_id uuid, version integer, node_key text, option text, sessions integer, saved integer';
  return manager.query(
    `SELECT given.*, jsonb_path_query_first(content.definition,
         '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
         jsonb_build_object('node', given.node_key, 'option', given.option)) #>> '{}' AS label
     FROM ${jsonRows('$2::jsonb', columns)} AS given JOIN flow_versions content ON content.workspace_id = $1
       AND content.flow_id = given.flow_id AND content.version = given.version
     ORDER BY given.sessions DESC, given.option, given.node_key`,
    [workspaceId, JSON.stringify(counts)],
  );
}

/** The most presented first. */
export function withNames(
  workspaceId: string,
  counts: OfferCount[],
  manager: EntityManager,
): Promise<(OfferCount & { name: string })[]> {
  return manager.query(
    `SELECT seen.*, offer.name
     FROM ${jsonRows('$2::jsonb', 'flow_id uuid, id uuid, presented integer, accepted integer')} AS seen
       JOIN offers offer ON offer.workspace_id = $1 AND offer.id = seen.id
     ORDER BY seen.presented DESC, seen.id`,
    [workspaceId, JSON.stringify(counts)],
  );
}

/** The splits of versions of flows. */
export function readSplits(
  workspaceId: string,
  versions: { flow_id: string; version: number }[],
  manager: EntityManager,
): Promise<(SplitOfVersion & { flow_id: string })[]> {
  if (versions.length === 0) return Promise.resolve([]);
  return manager.query(
    `SELECT content.flow_id, content.version, split ->> 'key' AS node_key, split #> '{config,ways}' AS ways
     FROM ${jsonRows('$2::jsonb', 'flow_id uuid, version integer')} AS counted
       JOIN flow_versions content ON content.workspace_id = $1
         AND content.flow_id = counted.flow_id AND content.version = counted.version,
       jsonb_path_query(content.definition, '$.nodes[*] ? (@.type == "split")') AS split`,
    [workspaceId, JSON.stringify(versions)],
  );
}

/**
 * The sessions of a flow by a customer's attribute: the most frequent values, the most frequent first, then the rest. Values
 * are compared as JSON texts: 1 and "1" are two, null is one. The sums by day don't have them, so all sessions are read, and
 * grouped by all that tells them apart at once: that takes half the time of counting each for itself.
 */
export function countByAttribute(
  span: Span,
  attribute: string,
  maxValues: number,
  manager: EntityManager,
): Promise<AttributeCount[]> {
  const { first, end } = partsOf(span).all;
  return manager.query(
    `SELECT "group", CASE "group" WHEN 'value' THEN value::jsonb END AS value, sum(sessions)::integer AS sessions,
       sum(accepted)::integer AS accepted, sum(kept)::integer AS kept, sum(canceled)::integer AS canceled,
       sum(in_progress)::integer AS in_progress
     FROM (
       SELECT *, CASE WHEN value IS NULL THEN 'none'
           WHEN row_number() OVER (PARTITION BY value IS NULL ORDER BY sessions DESC, value) <= $6 THEN 'value'
           ELSE 'other' END AS "group"
       FROM (
         SELECT value, sum(same) AS sessions, sum(CASE WHEN has_accepted THEN same ELSE 0 END) AS accepted,
           sum(CASE WHEN status = 'saved' AND NOT has_accepted THEN same ELSE 0 END) AS kept,
           sum(CASE WHEN status = 'canceled' THEN same ELSE 0 END) AS canceled,
           sum(CASE WHEN status_now = 'in_progress' THEN same ELSE 0 END) AS in_progress
         FROM (
           SELECT (s.customer #> ARRAY['attributes', $5])::text AS value, s.status, s.accepted_offer IS NOT NULL AS has_accepted,
             ${statusAt('$7::timestamptz', 's')} AS status_now, count(*) AS same
           FROM flow_sessions s
           WHERE s.workspace_id = $1 AND s.flow_id = $2 AND s.id >= $3 AND s.id < $4 GROUP BY 1, 2, 3, 4
         ) grouped
         GROUP BY 1
       ) counted
     ) ranked
     GROUP BY 1, 2 ORDER BY sessions DESC, value`,
    [span.workspaceId, span.flowId, first, end, attribute, maxValues, span.now],
  );
}
