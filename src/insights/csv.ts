import { Readable } from 'node:stream';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { stringify } from 'csv-stringify/sync';
import { INT4_MAX } from '../common/limits';
import { anyText } from '../common/schemas';

/** The columns of a file, by name: how a row fills each. */
export type Columns<Row> = Record<string, (row: Row) => string | number | boolean | Date | null | undefined>;

/**
 * A file for spreadsheets (RFC 4180), written as its rows are read, and not faster than it is taken. If a later page can't be
 * read, the connection breaks, so that half a file does not look whole.
 */
export async function csvFile<Row>(
  name: string,
  columns: Columns<Row>,
  pages: AsyncGenerator<Row[]>,
): Promise<StreamableFile> {
  // Read before the response begins: what can't be read has an ordinary error.
  let page = await pages.next();
  async function* lines() {
    yield csv([Object.keys(columns)]);
    for (; !page.done; page = await pages.next()) yield csv(page.value.map((row) => cellsOf(columns, row)));
  }
  return new StreamableFile(Readable.from(lines(), { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

/** What is true of every file. */
export const ABOUT_CSV =
  'UTF-8, with a row of names first. Text that a spreadsheet would take for a formula (`=`, `+`, `-`, `@`, tab or CR in ' +
  'front) begins with an apostrophe. The response is sent as it is read: if it breaks off, it is not whole. Ask again.';

/** Documents a file, with a row as an example. */
export function ApiCsv<Row>(columns: Columns<Row>, example: Row) {
  const text = csv([Object.keys(columns), cellsOf(columns, example)]);
  return applyDecorators(
    ApiProduces('text/csv'),
    ApiOkResponse({ content: { 'text/csv': { schema: anyText(INT4_MAX), example: text } } }),
  );
}

function cellsOf<Row>(columns: Columns<Row>, row: Row): unknown[] {
  return Object.values(columns).map((cellOf) => cellOf(row));
}

/** Text that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV Injection). */
function csv(rows: unknown[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { boolean: String, date: (date) => date.toISOString() },
  });
}
