import { abandonedBefore } from '../../runtime/session-status';
import { type Reading, summedUntil } from './changes';
import { ANY_FLOW } from './daily-repeat.entity';
import type { Parameters } from './parameters';
import type { Span } from './span';

/** In SQL: what tells who a session is of. A session without a customer is a customer of its own. */
const PERSON = `customer_id, erased_customer, CASE WHEN customer_id IS NULL AND erased_customer IS NULL THEN session.id END AS itself`;

/**
 * In SQL: the sessions of a person, by one of the three. A lookup by null costs nothing. OFFSET 0 keeps other conditions out:
 * of a workspace that is newer than its statistics, Postgres would read all sessions for each person, by an index of these.
 */
const sessionsOf = (workspace: string) =>
  ['customer_id', 'erased_customer', 'id']
    .map(
      (column) => `(SELECT id, flow_id, status, created_at, updated_at FROM flow_sessions
      WHERE workspace_id = ${workspace} AND ${column} = person.${column === 'id' ? 'itself' : column} OFFSET 0)`,
    )
    .join(' UNION ALL ');

/** In SQL: how the newest of the sessions that ended did; null if none has. Ids are as long and sort as text. */
const decided = (condition: string) =>
  `substr(max((id || status) COLLATE "C") FILTER (WHERE status <> 'in_progress' AND ${condition}), 37)`;

/**
 * In SQL: the customers of a span. The whole days come from the sums, which is right for everybody but the customers who have
 * a session that the sums don't know as it is: what these count for in the sums is taken off, and what they count for now is
 * added.
 */
export function customersSql(reading: Reading, span: Span, parameters: Parameters): string {
  const { all, days } = reading.parts;
  const isSummed = days
    ? `(session.id >= ${parameters.add(days.first, 'uuid')} AND session.id < ${parameters.add(days.end, 'uuid')})`
    : 'false';
  const until = summedUntil('session', reading.cursor, parameters);
  const now = parameters.add(span.now, 'timestamptz');
  // Of all flows: each session counts for its flow and for the workspace.
  const scopes = span.flowId ? '' : `CROSS JOIN LATERAL (VALUES (flow_id), ('${ANY_FLOW}'::uuid)) AS scope (scope_id)`;
  const scope = span.flowId ? 'flow_id' : 'scope_id';
  const repeats = reading.sums('daily_repeats', 'flow_id, sessions, saved, canceled', parameters);
  const workspace = parameters.add(span.workspaceId, 'uuid');
  return `
    WITH person AS (
      SELECT row_number() OVER () AS number, * FROM (
        SELECT DISTINCT customer_id, erased_customer, itself FROM (
          SELECT customer_id, erased_customer, itself FROM (${reading.uncounted(PERSON, parameters)}) AS uncounted
          UNION ALL ${reading.inProgress(PERSON, parameters)}
        ) AS session
      ) AS affected
    ), state AS (
      SELECT number, ${scope} AS flow_id,
        coalesce(bool_or(is_summed AND created_at < until), false) AS was_there,
        ${decided('is_summed AND updated_at < until')} AS had_decided,
        ${decided('true')} AS has_decided,
        bool_or(status = 'in_progress' AND updated_at > ${abandonedBefore(now)}) AS is_in_progress
      FROM person CROSS JOIN LATERAL (
        SELECT *, ${isSummed} AS is_summed, ${until} AS until FROM (${sessionsOf(workspace)}) AS session
        WHERE session.id >= ${parameters.add(all.first, 'uuid')} AND session.id < ${parameters.add(all.end, 'uuid')}
          ${span.flowId ? `AND session.flow_id = ${parameters.add(span.flowId, 'uuid')}` : ''}
      ) AS session ${scopes}
      GROUP BY 1, 2
    ), counted AS (
      SELECT ${scope} AS flow_id, sessions AS total, saved, canceled, 0 AS in_progress FROM (
        ${reading.sums('daily_sums', 'flow_id, sessions, accepted + kept AS saved, canceled', parameters)} AND kind = 'session'
      ) AS sums ${scopes}
      UNION ALL
      SELECT flow_id, -sessions, -saved, -canceled, 0 FROM (${repeats}
        ${days ? `AND earlier_day >= ${parameters.add(days.firstDay, 'date')}` : ''}) AS repeats
      UNION ALL
      SELECT flow_id, 1 - was_there::integer,
        (has_decided IS NOT DISTINCT FROM 'saved')::integer - (had_decided IS NOT DISTINCT FROM 'saved')::integer,
        (has_decided IS NOT DISTINCT FROM 'canceled')::integer - (had_decided IS NOT DISTINCT FROM 'canceled')::integer,
        (has_decided IS NULL AND is_in_progress)::integer
      FROM state
    ), added AS (
      SELECT flow_id, sum(saved)::integer AS saved, sum(canceled)::integer AS canceled, sum(in_progress)::integer AS in_progress,
        greatest(sum(total), sum(saved + canceled + in_progress))::integer AS total
      FROM counted GROUP BY 1
    )
    SELECT *, total - saved - canceled - in_progress AS abandoned FROM added WHERE total <> 0`;
}
