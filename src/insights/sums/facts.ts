/**
 * How statistics are counted, exactly and fast. Each fact that is counted about a session holds from some time on, for ever: it
 * began, an option was answered, it ended so. So what a session added to the sums at any time in the past follows from its
 * rows as they are now, and nothing has to note that a session has changed.
 *
 * - `daily_sums` contains each session as it was at the time in `sum_cursors`, some minutes ago (`SummingService`).
 * - A reader adds what came to hold since then. Only sessions whose last step is later can have anything (`changes.ts`).
 * - Days that the span cuts in two are counted from their sessions.
 *
 * Each reader names the kinds that it counts: `/stats` leaves out `reached` and `step`, the numbers of nodes leave out `offer`.
 *
 * Customers of a span are its sessions less the repeated ones: `daily_repeats` counts those of a customer who had one before,
 * by the day of that one. See docs/decisions/0020-daily-sums.md.
 */

import type { StepKind } from './daily-sum.entity';

/** In SQL: by how much it counts that something holds since a time: 1 if it does so since `after`, and before `until`. */
const counts = (since: string) => `((${since} < until)::integer - (${since} < after)::integer)`;

const ended = (outcome: string) =>
  `coalesce(sum(${counts('ended_at')}) FILTER (WHERE outcome = '${outcome}'), 0)::integer AS ${outcome}`;

const KEY = 'day, flow_id, flow_version, kind, node_key, value';

const sumOf = (facts: string) => `
  SELECT ${KEY}, sum(${counts('since')})::integer AS sessions, ${ended('accepted')}, ${ended('kept')}, ${ended('canceled')}
  FROM (${facts}) AS fact GROUP BY ${KEY}`;

/** When a session ended, if it did, and how. */
const END = `CASE WHEN status <> 'in_progress' THEN updated_at END AS ended_at, CASE WHEN accepted_offer IS NOT NULL THEN 'accepted'
      WHEN status = 'saved' THEN 'kept' WHEN status = 'canceled' THEN 'canceled' END AS outcome`;

/** In SQL: the day (UTC) of a time. */
export const dayOf = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

const DAY = dayOf('created_at');

/**
 * In SQL: what sessions add to `daily_sums`. `sessions` is the name of a relation with the columns of `flow_sessions` and two
 * more: `after` and `until` are the times before which, and since which, nothing is counted.
 */
export const sessionSums = (sessions: string) =>
  sumOf(`SELECT ${DAY} AS day, flow_id, flow_version, 'session' AS kind, '' AS node_key, '' AS value, created_at AS since,
      after, until, ${END} FROM ${sessions}`);

/** In SQL: what each step of a session says. A node was reached, and its offer presented, when the step before was taken. */
const OF_STEP: Record<StepKind, string> = {
  answer: `SELECT 'answer', node_key, option, taken_at WHERE action = 'answer'`,
  offer: `SELECT 'offer', '', offer ->> 'id', reached_at WHERE offer IS NOT NULL`,
  way: `SELECT 'way', key, value, taken_at FROM jsonb_each_text(ways)`,
  reached: `SELECT 'reached', node_key, '', reached_at`,
  step: `SELECT 'step', node_key, action, taken_at WHERE action <> 'answer'`,
};

/** In SQL: what the node says where a session stands. One that has ended stands nowhere: its last step has its last node. */
const OF_STANDING: Partial<Record<StepKind, string>> = {
  offer: `SELECT 'offer', '', presented_offer ->> 'id', session.updated_at WHERE presented_offer IS NOT NULL`,
  reached: `SELECT 'reached', current_node_key, '', session.updated_at WHERE status = 'in_progress'`,
};

/** In SQL: the facts of some kinds, one below the other. */
const union = (facts: Partial<Record<StepKind, string>>, kinds: readonly StepKind[]) =>
  kinds.flatMap((kind) => facts[kind] ?? []).join(' UNION ALL ');

/**
 * The same for what happened in the sessions, each once for a session, of these kinds. Of an offer, only sessions that accepted
 * this one have accepted. `workspace` is theirs.
 */
export const stepSums = (sessions: string, workspace: string, kinds: readonly StepKind[]) =>
  sumOf(`SELECT ${KEY}, min(since) AS since, after, until, ended_at,
      CASE WHEN outcome = 'accepted' AND kind = 'offer' AND value <> accepted_id THEN 'accepted another' ELSE outcome END AS outcome
    FROM (
      SELECT id, ${DAY} AS day, flow_id, flow_version, after, until, ${END}, accepted_offer ->> 'id' AS accepted_id, fact.*
      FROM ${sessions} AS session CROSS JOIN LATERAL (
        ${union(OF_STANDING, kinds)}
        UNION ALL
        SELECT fact.* FROM (
          SELECT node_key, action, option, offer, ways, created_at AS taken_at,
            lag(created_at, 1, session.created_at) OVER (ORDER BY position) AS reached_at
          FROM session_steps WHERE workspace_id = ${workspace} AND flow_session_id = session.id
        ) AS step CROSS JOIN LATERAL (${union(OF_STEP, kinds)}) AS fact
      ) AS fact (kind, node_key, value, since)
    ) AS seen GROUP BY id, ${KEY}, after, until, ended_at, outcome, accepted_id`);
