/**
 * SQL for a parameter that is a JSON array of objects, as a table with these columns.
 *
 * Postgres keeps one plan of a prepared statement, whatever the parameter holds, and may make it while the tables are
 * small. It takes a JSON array for 100 rows, and would rather read a small table whole than look up each of 100 rows.
 * An unknown LIMIT makes it expect a tenth. So it expects one row here, and looks each row up in an index, however the
 * tables grow.
 */
export function jsonRows(parameter: string, columns: string): string {
  const all = `LIMIT jsonb_array_length(${parameter})`;
  return `(SELECT * FROM (SELECT * FROM jsonb_to_recordset(${parameter}) AS parsed (${columns}) ${all}) AS expected ${all})`;
}
