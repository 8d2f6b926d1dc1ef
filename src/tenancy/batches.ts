/** How many rows one statement inserts: Postgres takes 65,535 parameters. */
const ROWS = 1000;

/** Parts of a list. One statement inserts each. */
export function batchesOf<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) =>
    rows.slice(index * ROWS, (index + 1) * ROWS),
  );
}
