import { Injectable } from '@nestjs/common';
import { Abandonment } from '../events/abandonment/abandonment';
import { earlierId } from '../platform/api/ids';
import { Problem } from '../platform/api/problems/problem';
import { NOW, shownTime } from '../platform/database/time';
import { Jobs } from '../platform/database/queue/jobs.service';
import { type Statement, statement } from '../platform/database/transaction/statement';
import { DailySums } from '../statistics/sums/daily-sums.service';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Work } from '../tenancy/work/work';
import { MONTH } from '../workspaces/counters/usage';
import { isTest } from '../workspaces/is-test';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { type WorkspaceTable, WorkspaceTables } from './workspace-tables';

/** The longest time that passes at once, and how old a workspace may be then. */
const MOST_YEARS = 5;
const OLDEST_YEARS = 30;

/** SQL for the time that passes, in milliseconds. */
const MS = ':ms';
const earlier = (time: string): string => `${time} - ${MS}::bigint * interval '1 millisecond'`;

/** Ids that are found by their time: those of sessions, wherever they are named, and of the entries of the log. */
const DATED_IDS = new Set(['flow_sessions.id', 'changes.id', 'billing_connections.swept_until']);
const isDatedId = (table: string, column: string) =>
  DATED_IDS.has(`${table}.${column}`) || column === 'flow_session_id';

/** The ids of sessions in an array, in their order. */
const earlierIds = (ids: string): string =>
  `ARRAY(SELECT ${earlierId('one.id', MS)} FROM ${ids} WITH ORDINALITY AS one (id, place) ORDER BY place)`;

const SESSIONS_IN_DATA = `CASE WHEN data ? 'flow_session_ids' THEN jsonb_set(data, '{flow_session_ids}', to_jsonb(
    ${earlierIds(`jsonb_array_elements_text(data -> 'flow_session_ids')`)})) ELSE data END`;

/** A time in a JSON object, as `shownTime` writes it. */
const earlierIn = (json: string, key: string): string =>
  `'${key}', ${shownTime(`(${earlier(`(${json} ->> '${key}')::timestamptz`)})`)}`;

/** The two ends of a span in a JSON object. What is null stays. */
const spanEarlier = (json: string): string =>
  `${json} || jsonb_strip_nulls(jsonb_build_object(${earlierIn(json, 'from')}, ${earlierIn(json, 'until')}))`;

/** SQL for columns that have times or ids in themselves. */
const OTHERS: Record<string, string> = {
  'offers.available': spanEarlier('available'),
  'offer_versions.available': spanEarlier('available'),
  'offer_drafts.available': spanEarlier('available'),
  'fulfilments.effect': spanEarlier('effect'),
  // Those of a test are of a preview, which is in no list.
  'events.flow_session_id': `CASE WHEN type = 'test' THEN flow_session_id ELSE ${earlierId('flow_session_id', MS)} END`,
  'outbox.flow_session_ids': `CASE WHEN type = 'test' THEN flow_session_ids WHEN flow_session_ids IS NOT NULL THEN ${earlierIds('unnest(flow_session_ids)')} END`,
  'outbox.data': SESSIONS_IN_DATA,
  'events.data': SESSIONS_IN_DATA,
  'changes.subject_id': `CASE WHEN subject_type = 'fulfilment' THEN ${earlierId('subject_id', MS)} ELSE subject_id END`,
};

/**
 * When an attempt is made, or may be made again if the one under way is lost. What is under way keeps its time, for two
 * minutes, so that no other attempt begins beside it.
 */
const attemptAfter = (time: string): string =>
  `CASE WHEN ${time} > ${NOW} + interval '2 minutes' THEN ${earlier(time)} ELSE ${time} END`;

/** SQL for a column when time has passed; undefined if it stays. `usage_period` is a month. */
function valueOf(table: string, { name, type }: WorkspaceTable['columns'][number]): string | undefined {
  const column = `${table}.${name}`;
  if (column in OTHERS) return OTHERS[column];
  if (isDatedId(table, name)) return earlierId(name, MS);
  if (name === 'next_attempt_at') return attemptAfter(name);
  return type === 'timestamptz' && name !== 'usage_period' ? earlier(name) : undefined;
}

const SPAN = statement(
  `SELECT ms, created_at - ms * interval '1 millisecond' < ${NOW} - interval '${OLDEST_YEARS} years' AS is_too_old,
    ms > extract(epoch FROM ${NOW} - (${NOW} - interval '${MOST_YEARS} years')) * 1000 AS is_too_long
  FROM workspaces, LATERAL (SELECT (extract(epoch FROM ${NOW} - (${NOW} - :pass::interval)) * 1000)::bigint AS ms) AS span
  WHERE id = :workspace`,
);

const COUNT = statement(
  `SELECT count(*)::integer AS sessions FROM flow_sessions WHERE workspace_id = :workspace AND created_at >= ${MONTH}`,
);

/**
 * Lets time pass in a test workspace: everything in it becomes that much older. The clock stays, so no query has to
 * know of it. What comes next is of the real time.
 */
@Injectable()
export class PassingTime {
  private readonly changes: Statement[];

  constructor(
    private readonly units: UnitsOfWork,
    private readonly workspaces: WorkspacesService,
    private readonly sums: DailySums,
    private readonly abandonment: Abandonment,
    private readonly jobs: Jobs,
    private readonly tables: WorkspaceTables,
  ) {
    this.changes = statementsFor(tables.leavesFirst);
  }

  /**
   * @param pass an ISO 8601 duration, like `P30D`. Years and months are as long as those before now.
   */
  async pass(tenant: Tenant, pass: string): Promise<void> {
    await this.units.run(tenant, (work) => this.passIn(work, pass));
    this.jobs.timeHasPassed();
  }

  private async passIn(work: Work, pass: string): Promise<void> {
    if (!(await isTest(work))) throw new Problem('not_a_test_workspace');
    await this.sums.forget(work);
    await this.tables.lockAll(work);
    const { ms, is_too_long, is_too_old } = (await work.row<Span>(SPAN, { pass }))!;
    if (Number(ms) === 0) throw refused('must be longer than nothing');
    if (is_too_long) throw refused(`must be at most ${MOST_YEARS} years`);
    if (is_too_old) throw refused(`would make the workspace more than ${OLDEST_YEARS} years old`);
    // Who has just asked hears of the sessions that the time abandons.
    await this.abandonment.begin(work);
    for (const change of this.changes) await work.write(change, { ms });
    await this.workspaces.setUsage(work, (await work.row<{ sessions: number }>(COUNT))!.sessions);
  }
}

interface Span {
  /** A bigint. */
  ms: string;
  is_too_long: boolean;
  is_too_old: boolean;
}

const refused = (message: string) => Problem.invalid([{ pointer: '/pass', message }]);

/**
 * Rows of this table are deleted and come anew. A fan-out that has waited for them finds none: it would look up their
 * sessions as they were before it waited.
 */
const COMES_ANEW = 'outbox';

/**
 * The outbox first: what a fan-out has made of it is seen by the statements behind. Sessions and what refers to them
 * change in one statement, last: foreign keys are checked at its end.
 */
function statementsFor(tables: readonly WorkspaceTable[]): Statement[] {
  const before: Statement[] = [];
  const ofSessions: string[] = [];
  for (const table of tables) {
    const { name, owner, columns } = table;
    const changes = columns.flatMap((column) => {
      const value = valueOf(name, column);
      return value === undefined ? [] : [`${column.name} = ${value}`];
    });
    const update = `UPDATE ${name} SET ${changes.join(', ')} WHERE ${owner} = :workspace`;
    if (name === COMES_ANEW) before.unshift(statement(anew(table)));
    else if (name === 'flow_sessions' || columns.some((column) => column.name === 'flow_session_id'))
      ofSessions.push(`of_${name} AS (${update})`);
    else if (changes.length > 0) before.push(statement(update));
  }
  return [...before, statement(`WITH ${ofSessions.join(', ')} SELECT`)];
}

function anew({ name, columns }: WorkspaceTable): string {
  const names = columns.map((column) => column.name);
  const values = columns.map((column) => valueOf(name, column) ?? column.name);
  return `WITH gone AS (DELETE FROM ${name} WHERE workspace_id = :workspace RETURNING *)
    INSERT INTO ${name} (${names.join(', ')}) SELECT ${values.join(', ')} FROM gone`;
}
