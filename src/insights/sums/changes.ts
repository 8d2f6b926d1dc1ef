import type { EntityManager } from 'typeorm';
import { abandonedBefore } from '../../runtime/session-status';
import type { Parameters } from './parameters';
import { type Ids, partsOf, type Span, type VersionSpan } from './span';

/** A row of `sum_cursors`. As long as nothing is summed, its time is -Infinity. */
export interface Cursor {
  summed_until: Date | number;
  summing_until: Date | null;
  summed_through: string | null;
}

const NEVER: Cursor = { summed_until: -Infinity, summing_until: null, summed_through: null };

export async function readCursor(workspaceId: string, manager: EntityManager, lock = ''): Promise<Cursor | undefined> {
  const [cursor] = await manager.query<Cursor[]>(
    `SELECT summed_until, summing_until, summed_through FROM sum_cursors WHERE workspace_id = $1 ${lock}`,
    [workspaceId],
  );
  return cursor;
}

/** In SQL: the time until which the sums contain a session. */
export function summedUntil(session: string, cursor: Cursor, parameters: Parameters): string {
  const until = parameters.add(cursor.summed_until, 'timestamptz');
  if (cursor.summing_until === null) return until;
  const through = parameters.add(cursor.summed_through, 'uuid');
  return `CASE WHEN ${session}.id <= ${through} THEN ${parameters.add(cursor.summing_until, 'timestamptz')} ELSE ${until} END`;
}

/** In SQL: the sessions that have changed since a time. As their indexes are: one for those in progress, one for the others. */
export const changedSince = (time: string) =>
  `(status = 'in_progress' AND updated_at >= ${time} OR status <> 'in_progress' AND updated_at >= ${time})`;

/** What statistics read sessions by. */
export class Reading {
  readonly parts;

  private constructor(
    private readonly span: Span | VersionSpan,
    readonly cursor: Cursor,
  ) {
    this.parts = partsOf(span);
  }

  /** All statements that use it have to see the same snapshot. */
  static async begin(span: Span | VersionSpan, manager: EntityManager): Promise<Reading> {
    return new Reading(span, (await readCursor(span.workspaceId, manager)) ?? NEVER);
  }

  /**
   * In SQL: the sessions that the sums of whole days lack something of, and those at the edges of the span, which are counted
   * from nothing. `columns` are of `flow_sessions`; `after` and `until` are for `sessionSums`.
   */
  uncounted(columns: string, parameters: Parameters): string {
    const { days, edges } = this.parts;
    const select = (ids: Ids, after: string) =>
      `SELECT ${columns}, ${after} AS after, 'infinity'::timestamptz AS until FROM flow_sessions AS session
        WHERE ${this.within(ids, parameters)}`;
    const parts = edges.map((ids) => select(ids, `'-infinity'::timestamptz`));
    if (days) {
      const since = parameters.add(this.cursor.summed_until, 'timestamptz');
      const changed = select(days, summedUntil('session', this.cursor, parameters));
      parts.push(`${changed} AND ${changedSince(since)}`);
    }
    return parts.join(' UNION ALL ');
  }

  /** In SQL: the sessions of the span that are in progress now. */
  inProgress(columns: string, parameters: Parameters): string {
    return `SELECT ${columns} FROM flow_sessions AS session WHERE ${this.within(this.parts.all, parameters)}
      AND status = 'in_progress' AND updated_at > ${abandonedBefore(parameters.add(this.span.now, 'timestamptz'))}`;
  }

  /** In SQL: the workspace. Each table is asked for it by a parameter, which tells Citus where to look. */
  workspace(parameters: Parameters): string {
    return parameters.add(this.span.workspaceId, 'uuid');
  }

  /** In SQL: the sums of the whole days; none if there are no whole days. */
  sums(table: 'daily_sums' | 'daily_repeats', columns: string, parameters: Parameters): string {
    const { days } = this.parts;
    const within = days
      ? `day >= ${parameters.add(days.firstDay, 'date')} AND day < ${parameters.add(days.endDay, 'date')}`
      : 'false';
    return `SELECT ${columns} FROM ${table} WHERE ${this.isOfSpan(table, parameters)} AND ${within}`;
  }

  /** In SQL: whether a session is one of these, and of the workspace, flow and version. */
  private within({ first, end }: Ids, parameters: Parameters): string {
    return `${this.isOfSpan('session', parameters)}
      AND session.id >= ${parameters.add(first, 'uuid')} AND session.id < ${parameters.add(end, 'uuid')}`;
  }

  /** In SQL: whether a row is of the workspace, flow and version. */
  private isOfSpan(row: string, parameters: Parameters): string {
    const { flowId } = this.span;
    const conditions = [`${row}.workspace_id = ${this.workspace(parameters)}`];
    if (flowId) conditions.push(`${row}.flow_id = ${parameters.add(flowId, 'uuid')}`);
    if ('version' in this.span)
      conditions.push(`${row}.flow_version = ${parameters.add(this.span.version, 'integer')}`);
    return conditions.join(' AND ');
  }
}
