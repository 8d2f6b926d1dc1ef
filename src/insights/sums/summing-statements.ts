import { firstIdAt } from '../../common/ids';
import { changedSince, type Cursor, summedUntil } from './changes';
import { ANY_FLOW } from './daily-repeat.entity';
import { STEP_KINDS } from './daily-sum.entity';
import { dayOf, sessionSums, stepSums } from './facts';
import { Parameters } from './parameters';

interface Statement {
  text: string;
  values: unknown[];
}

/** Sessions that are added to the sums together: what they were until the cursor is in the sums, what they are `until` is added. */
export interface Slice {
  workspaceId: string;
  ids: string[];
  cursor: Cursor;
  until: Date;
}

const COLUMNS = ['sessions', 'accepted', 'kept', 'canceled'];
const REPEATS = ['sessions', 'saved', 'canceled'];

const sums = (columns: string[]) => columns.map((column) => `sum(${column}) AS ${column}`).join(', ');
const isAny = (columns: string[]) => columns.map((column) => `sum(${column}) <> 0`).join(' OR ');
const added = (table: string, columns: string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

/** The ids of the next sessions to add, in their order. */
export function sliceOf(workspaceId: string, cursor: Cursor, firstLater: string, limit: number): Statement {
  const parameters = new Parameters();
  const text = `SELECT id FROM flow_sessions WHERE workspace_id = ${parameters.add(workspaceId, 'uuid')}
      AND id < ${parameters.add(firstLater, 'uuid')} AND ${changedSince(parameters.add(cursor.summed_until, 'timestamptz'))}
      ${cursor.summed_through ? `AND id > ${parameters.add(cursor.summed_through, 'uuid')}` : ''}
    ORDER BY id LIMIT ${limit}`;
  return { text, values: parameters.values };
}

export function addSums({ workspaceId, ids, cursor, until }: Slice): Statement {
  const parameters = new Parameters();
  const workspace = parameters.add(workspaceId, 'uuid');
  const key = 'day, flow_id, flow_version, kind, node_key, value';
  const text = `
    WITH slice AS (
      SELECT *, ${parameters.add(cursor.summed_until, 'timestamptz')} AS after, ${parameters.add(until, 'timestamptz')} AS until
      FROM flow_sessions WHERE workspace_id = ${workspace} AND id = ANY (${parameters.add(ids, 'uuid[]')})
    )
    INSERT INTO daily_sums (workspace_id, ${key}, ${COLUMNS.join(', ')})
    SELECT ${workspace}, ${key}, ${sums(COLUMNS)}
    FROM (${sessionSums('slice')} UNION ALL ${stepSums('slice', workspace, STEP_KINDS)}) AS added GROUP BY ${key} HAVING ${isAny(COLUMNS)}
    ON CONFLICT (workspace_id, ${key}) DO UPDATE SET ${added('daily_sums', COLUMNS)}`;
  return { text, values: parameters.values };
}

/**
 * Sessions begin in the order of their ids, so the session before a new one never changes. But they end in any order: one that
 * has ended takes the place of the one before it for the one behind it.
 */
export function addRepeats({ workspaceId, ids, cursor, until }: Slice): Statement {
  const parameters = new Parameters();
  const workspace = parameters.add(workspaceId, 'uuid');
  const since = parameters.add(cursor.summed_until, 'timestamptz');
  const end = parameters.add(until, 'timestamptz');
  const next = { ...cursor, summing_until: until, summed_through: ids.at(-1)! };
  const isIn = (state: Cursor) =>
    `status <> 'in_progress' AND updated_at < ${summedUntil('flow_sessions', state, parameters)}`;
  const [before, after] = [isIn(cursor), isIn(next)];
  // Who began later has not ended before: a customer may have very many sessions behind this one.
  const beganBefore = firstIdAt(new Date(Math.max(0, Number(cursor.summed_until))));
  const behind = `${before} AND id < ${parameters.add(beganBefore, 'uuid')}`;
  const key = 'day, flow_id, earlier_day';
  const text = `
    WITH slice AS (
      SELECT id, customer_id, erased_customer, status, created_at, updated_at, scope.flow_id
      FROM flow_sessions AS session CROSS JOIN LATERAL (VALUES (flow_id), ('${ANY_FLOW}'::uuid)) AS scope (flow_id)
      WHERE workspace_id = ${workspace} AND id = ANY (${parameters.add(ids, 'uuid[]')})
        AND (customer_id IS NOT NULL OR erased_customer IS NOT NULL)
    ), ended AS (
      SELECT * FROM slice WHERE status <> 'in_progress' AND updated_at >= ${since} AND updated_at < ${end}
    ), behind AS (
      SELECT DISTINCT behind.*, ended.flow_id FROM ended CROSS JOIN LATERAL (${nearest('>', 'ended', workspace, behind)}) AS behind
    ), pair AS (
      SELECT slice.created_at, slice.flow_id, earlier.created_at AS earlier_at, 1 AS sessions, 0 AS decided, earlier.status
      FROM slice CROSS JOIN LATERAL (${nearest('<', 'slice', workspace, 'true')}) AS earlier
      WHERE slice.created_at >= ${since} AND slice.created_at < ${end}
      UNION ALL
      SELECT ended.created_at, ended.flow_id, earlier.created_at, 0, 1, earlier.status
      FROM ended CROSS JOIN LATERAL (${nearest('<', 'ended', workspace, after)}) AS earlier
      UNION ALL
      SELECT behind.created_at, behind.flow_id, earlier.created_at, 0, 1, earlier.status
      FROM behind CROSS JOIN LATERAL (${nearest('<', 'behind', workspace, after)}) AS earlier
      UNION ALL
      SELECT behind.created_at, behind.flow_id, earlier.created_at, 0, -1, earlier.status
      FROM behind CROSS JOIN LATERAL (${nearest('<', 'behind', workspace, before)}) AS earlier
    )
    INSERT INTO daily_repeats (workspace_id, ${key}, ${REPEATS.join(', ')})
    SELECT ${workspace}, ${key}, ${sums(REPEATS)} FROM (
      SELECT ${dayOf('created_at')} AS day, flow_id, ${dayOf('earlier_at')} AS earlier_day, sessions,
        CASE WHEN status = 'saved' THEN decided ELSE 0 END AS saved, CASE WHEN status = 'canceled' THEN decided ELSE 0 END AS canceled
      FROM pair
    ) AS added GROUP BY ${key} HAVING ${isAny(REPEATS)}
    ON CONFLICT (workspace_id, ${key}) DO UPDATE SET ${added('daily_repeats', REPEATS)}`;
  return { text, values: parameters.values };
}

/** In SQL: the session of the same customer, and of the same flow or any, that is next to a session. */
function nearest(direction: '<' | '>', session: string, workspace: string, condition: string): string {
  const by = (column: string) => `(
    SELECT id, customer_id, erased_customer, status, created_at FROM flow_sessions
    WHERE workspace_id = ${workspace} AND ${column} = ${session}.${column} AND id ${direction} ${session}.id AND ${condition}
      AND (${session}.flow_id = '${ANY_FLOW}' OR flow_sessions.flow_id = ${session}.flow_id)
    ORDER BY id ${direction === '<' ? 'DESC' : ''} LIMIT 1)`;
  return `${by('customer_id')} UNION ALL ${by('erased_customer')}`;
}
