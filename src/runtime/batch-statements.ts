import type { Send } from '../platform/database/transaction/pipeline.service';
import type { NewEvent } from '../outbox/event-types';
import { outboxInsert } from '../outbox/outbox.service';

/** The statements of a batch, written by hand: mapping entities would cost more than the statements. */
export abstract class BatchStatements {
  constructor(
    private readonly sendQuery: Send,
    private readonly workspaceIds: string[],
  ) {}

  /**
   * Sends a statement. $1 is the ids of the batch's workspaces, by which Citus finds the server, and $2 the rows, if
   * there are any: see `jsonRows`.
   */
  protected async send<Row extends object>(name: string, text: string, rows?: object[]): Promise<Row[]> {
    const values = [this.workspaceIds, ...(rows ? [JSON.stringify(rows)] : [])];
    return (await this.sendQuery<Row>({ name, text, values })).rows;
  }

  /** Records events, each in its workspace. */
  protected async record(events: (NewEvent & { workspace_id: string })[]): Promise<void> {
    if (events.length > 0) await this.sendQuery(outboxInsert(events));
  }
}
