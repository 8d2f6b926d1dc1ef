import { setTimeout as pause } from 'node:timers/promises';
import { query } from './postgres';

/** Postgres hands in what a connection counted when it ends a transaction a second after the last time, or idles for ten. */
const UNTIL_COUNTED_MS = 11_000;

/** How often the sessions were scanned so far: by each index, and as a whole. */
export interface Scans {
  whole: number;
  byIndex: Record<string, number>;
}

/** Waits until all that was asked before is counted. */
export async function readScans(databaseUrl: string): Promise<Scans> {
  await pause(UNTIL_COUNTED_MS);
  const rows = await query<{ name: string | null; scans: number }>(
    databaseUrl,
    `SELECT NULL AS name, seq_scan::integer AS scans FROM pg_stat_user_tables WHERE relname = 'flow_sessions'
     UNION ALL
     SELECT indexrelname, idx_scan::integer FROM pg_stat_user_indexes WHERE relname = 'flow_sessions'`,
  );
  const whole = rows.find(({ name }) => name === null);
  // Without its line there would be nothing to compare, and the check would pass whatever happened.
  if (!whole) throw new Error('Postgres has no numbers of flow_sessions');
  const byIndex = Object.fromEntries(rows.flatMap(({ name, scans }) => (name === null ? [] : [[name, scans]])));
  return { whole: whole.scans, byIndex };
}

/** The indexes that were used in between. Throws when the sessions were read as a whole. */
export function indexesUsed(before: Scans, after: Scans): string[] {
  const whole = after.whole - before.whole;
  if (whole !== 0) throw new Error(`${whole} sequential scans of flow_sessions: a query misses its index`);
  return Object.keys(after.byIndex).filter((name) => after.byIndex[name] > before.byIndex[name]);
}
