import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { firstIdAt } from '../../common/ids';
import { Config } from '../../config';
import { Loop } from '../../database/loop';
import { settledTime } from '../../database/settled-time';
import { NOW } from '../../database/time';
import { Transactions } from '../../database/transactions';
import { readCursor } from './changes';
import { addRepeats, addSums, sliceOf } from './summing-statements';

const PAUSE_MS = 60_000;
/** Sums end so long ago: a clock that is set back by less, or that of a standby which takes over, dates nothing before. */
const MARGIN_MS = 10 * 60_000;
/** At most so many sessions in a transaction, which takes a fraction of a second. */
const SESSIONS = 2000;

const BEGIN = `INSERT INTO sum_cursors (workspace_id, summed_until)
  SELECT id, '-infinity' FROM workspaces WHERE NOT EXISTS (SELECT FROM sum_cursors WHERE workspace_id = id)
  ON CONFLICT DO NOTHING`;

/** In SQL: whether a session of a workspace has changed that can be added now. */
const hasChanged = (status: string) =>
  `(SELECT true FROM flow_sessions WHERE workspace_id = cursor.workspace_id AND status ${status} AND updated_at >= summed_until
    AND updated_at < ${NOW} - interval '${MARGIN_MS} milliseconds' ORDER BY updated_at LIMIT 1)`;

/** In random order, so that a workspace whose sums fail doesn't always hold up the same others. */
const DUE = `SELECT workspace_id FROM sum_cursors AS cursor
  WHERE summing_until IS NOT NULL OR ${hasChanged(`= 'in_progress'`)} OR ${hasChanged(`<> 'in_progress'`)} ORDER BY random()`;

/** Keeps the daily sums up to date. Statistics are right however far behind it is, but slower the more they have to add. */
@Injectable()
export class SummingService implements OnApplicationBootstrap, OnModuleDestroy {
  /** The workspaces that have more to add. */
  private due: string[] = [];

  private readonly loop = new Loop('Summing sessions', PAUSE_MS, async () => {
    if (this.due.length === 0) this.due = await this.findDue();
    const workspaceId = this.due.shift();
    if (workspaceId && (await this.sum(workspaceId))) this.due.push(workspaceId);
    if (this.due.length > 0) this.loop.wake();
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.eventWorkers > 0) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  async findDue(): Promise<string[]> {
    await this.dataSource.query(BEGIN);
    const due = await this.dataSource.query<{ workspace_id: string }[]>(DUE);
    return due.map(({ workspace_id }) => workspace_id);
  }

  /** Adds the next sessions of a workspace, unless another process is at it. Returns whether there are more. */
  sum(workspaceId: string, { marginMs = MARGIN_MS, sessions = SESSIONS } = {}): Promise<boolean> {
    return this.transactions.run((manager) => this.addSlice(workspaceId, marginMs, sessions, manager));
  }

  private async addSlice(
    workspaceId: string,
    marginMs: number,
    limit: number,
    manager: EntityManager,
  ): Promise<boolean> {
    const cursor = await readCursor(workspaceId, manager, 'FOR UPDATE SKIP LOCKED');
    if (!cursor) return false;
    const until = cursor.summing_until ?? new Date((await settledTime('flow_sessions', manager)).getTime() - marginMs);
    if (until <= cursor.summed_until) return false;
    const run = <Row>({ text, values }: { text: string; values: unknown[] }) => manager.query<Row[]>(text, values);
    const slice = await run<{ id: string }>(sliceOf(workspaceId, cursor, firstIdAt(until), limit));
    const ids = slice.map(({ id }) => id);
    if (ids.length > 0) {
      await run(addSums({ workspaceId, ids, cursor, until }));
      await run(addRepeats({ workspaceId, ids, cursor, until }));
    }
    const isFull = ids.length === limit;
    await manager.query(
      isFull
        ? 'UPDATE sum_cursors SET summing_until = $2, summed_through = $3 WHERE workspace_id = $1'
        : `UPDATE sum_cursors SET summed_until = $2, summing_until = NULL, summed_through = NULL WHERE workspace_id = $1`,
      isFull ? [workspaceId, until, ids.at(-1)] : [workspaceId, until],
    );
    return isFull;
  }
}
