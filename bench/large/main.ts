import { setTimeout as pause } from 'node:timers/promises';
import { type Case, CASES } from '../cases';
import { Contestant, ENV, SERVICE } from '../contestant';
import { withClient } from '../postgres';
import { measureAll } from '../rounds';
import { conditionsOf, run } from '../run';
import { format, markdown, tableOf } from '../table';

const PAST = { sessions: Number(process.env.SESSIONS ?? 10_000_000), days: 36 * 30 };
const KEPT_MONTHS = 34;
// What a process adds up and sends in the background is measured elsewhere.
const env = { EVENT_WORKERS: '0' };
const FULL = { ...SERVICE, env, name: `${format(PAST.sessions)} sessions`, past: PAST };
const SMALL = { ...SERVICE, env, name: '10,000 sessions', past: { ...PAST, sessions: 10_000 } };

const SESSIONS = '/api/v1/public/sessions';
const read = (name: string, title: string, query: string): Case => ({
  name,
  title: `${title}, 1 workspace, 8 connections`,
  connections: 8,
  unit: 'request',
  walks: ({ hot }) => [
    [{ method: 'GET', path: SESSIONS + query, headers: { authorization: `Bearer ${hot.apiKey}` }, status: 200 }],
  ],
});

const LARGE_CASES = [
  ...CASES.filter(({ name }) => ['start-hot', 'start-customer', 'start-many', 'step'].includes(name)),
  read('list', 'newest 100 sessions', '?limit=100'),
  read('list-saved', 'newest 100 saved sessions', '?limit=100&status=saved'),
  read('list-customer', 'sessions of a customer', '?customer_id=cus_4711'),
];

/** The sizes of the two large tables, with their indexes. */
const SIZES = `SELECT relname AS table, pg_size_pretty(pg_table_size(oid)) AS rows, pg_size_pretty(pg_indexes_size(oid)) AS indexes
  FROM pg_class WHERE relname IN ('flow_sessions', 'session_steps') ORDER BY 1`;

const OLD = `SELECT count(*)::integer AS sessions FROM flow_sessions
  WHERE created_at < (date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' - interval '${KEPT_MONTHS} months') AT TIME ZONE 'UTC'`;

run({
  command: 'bench:large',
  about: `Compares the service on ${format(PAST.sessions)} sessions of three years with itself on 10,000, then deletes the old ones.`,
  cases: LARGE_CASES,
  async measure(options, postgres, processes) {
    const full = await Contestant.start(FULL, postgres, processes);
    const small = await Contestant.start(SMALL, postgres, processes);
    const cases = LARGE_CASES.filter(({ name }) => options.cases.includes(name));
    const all = await measureAll(cases, [full, small], options);
    const query = (text: string) => withClient(full.databaseUrl, async (client) => (await client.query(text)).rows);
    const sizes = await query(SIZES);
    // The sums of three years take a quarter of an hour, and are measured elsewhere.
    await query(`INSERT INTO sum_cursors (workspace_id, summed_until) SELECT id, now() FROM workspaces
      ON CONFLICT (workspace_id) DO UPDATE SET summed_until = now(), summing_until = NULL, summed_through = NULL`);
    const [{ sessions }] = await query(OLD);
    const [{ lsn }] = await query('SELECT pg_current_wal_lsn() AS lsn');
    const begun = performance.now();
    const { url } = await processes.serve(SERVICE.script, {
      ...ENV,
      DATABASE_URL: full.databaseUrl,
      EVENT_WORKERS: '1',
      SESSION_RETENTION_MONTHS: `${KEPT_MONTHS}`,
    });
    const deleted = async () =>
      Number(/^retention_sessions_deleted_total (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())![1]);
    const during: Awaited<ReturnType<Contestant['measure']>>[] = [];
    while ((await deleted()) < sessions) {
      during.push(await full.measure(CASES[0], options.seconds));
      await pause(100);
    }
    const seconds = (performance.now() - begun) / 1000;
    const [{ wal }] = await query(`SELECT pg_size_pretty(pg_current_wal_lsn() - '${lsn}') AS wal`);
    return [
      tableOf(all, [SMALL]),
      '',
      markdown(sizes, 1),
      '',
      `${format(sessions)} sessions deleted in ${format(seconds)} s, ${wal} of WAL with the starts meanwhile:`,
      '',
      tableOf([{ case: CASES[0], contestant: 'while sessions are deleted', rounds: during }], []),
      '',
      conditionsOf(options, postgres),
    ].join('\n');
  },
});
