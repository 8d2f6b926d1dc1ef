import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { Turns } from '../../platform/common/turns';
import { Jobs } from '../../platform/database/queue/jobs.service';
import { statement } from '../../platform/database/transaction/statement';
import { theServiceIn } from './tenant';
import { UnitsOfWork } from './units-of-work.service';

const EVERY_MS = 10 * 60_000;
const BATCH = 500;
/** Rows from which the workspaces of a run are taken. */
const LOOKED_AT = 10 * BATCH;

/** Rows that are found by words. */
interface Searched<Row> {
  table: string;
  /** The columns of its key beside `workspace_id`, with their types. */
  key: Record<string, string>;
  /** The columns that words are made of. */
  columns: string[];
  /** SQL that is true for rows without words, or with words of erased text. An index finds them. */
  due: string;
  /** The `tsvector` of a row; null if there is nothing to find. */
  wordsOf: (row: Row & { workspace_id: string }) => string | null;
}

/**
 * Works out the words of rows that an older version of the service has stored or erased: it may run beside this one, or
 * again.
 */
@Injectable()
export class WordsOfRows {
  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    private readonly jobs: Jobs,
  ) {}

  /** Works them out every ten minutes. */
  keep<Row extends object>({ table, key, columns, due, wordsOf }: Searched<Row>): void {
    const names = Object.keys(key).join(', ');
    const read = statement(`SELECT workspace_id, ${names}, ${columns.join(', ')} FROM ${table}
      WHERE workspace_id = :workspace AND ${due} ORDER BY ${names} LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`);
    const types = Object.entries(key).map(([name, type]) => `${name} ${type}`);
    const write = statement(`UPDATE ${table} SET words = row.words
      FROM jsonb_to_recordset(:rows::jsonb) AS row (${types.join(', ')}, words tsvector)
      WHERE ${table}.workspace_id = :workspace AND ${Object.keys(key)
        .map((name) => `${table}.${name} = row.${name}`)
        .join(' AND ')}`);
    const waiting = statement(
      `SELECT DISTINCT workspace_id FROM (SELECT workspace_id FROM ${table} WHERE ${due} LIMIT ${LOOKED_AT}) AS waiting`,
    );
    const job = this.jobs.add({
      name: `Words of ${table}`,
      everyMs: EVERY_MS,
      run: async () => {
        const found = await this.connections.rows<{ workspace_id: string }>(waiting);
        await job.forEach(found, ({ workspace_id }) =>
          this.units.run(theServiceIn(workspace_id), async (work) => {
            const rows = await work.rows<Row & { workspace_id: string }>(read);
            const worded: object[] = [];
            const turns = new Turns();
            for (const row of rows) {
              worded.push({ ...row, words: wordsOf(row) });
              await turns.next();
            }
            await work.write(write, { rows: JSON.stringify(worded) });
          }),
        );
        return found.length > 0;
      },
    });
  }
}
