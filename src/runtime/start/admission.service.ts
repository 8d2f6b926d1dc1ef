import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Histogram } from 'prom-client';
import { Cache, type CacheRegion } from '../../common/cache';
import { Metrics } from '../../common/metrics';
import { Problem } from '../../common/problem';
import { Config } from '../../config';
import { Citus } from '../../database/citus';
import { GroupCommit } from '../../database/group-commit';
import { Pooler } from '../../database/pooler';
import { isUniqueViolation } from '../../database/postgres-errors';
import { Transactions } from '../../database/transactions';
import { Outbox } from '../../events/outbox.service';
import { FlowLookup } from '../../flows/flow-lookup.service';
import { type Admitted, decide, type Situation, type Start } from './admission-rules';
import { SpreadAdmissionStatements } from './spread-admission-statements';
import { AdmissionStatements, type FlowRow, type WorkspaceRow, type Write, type Written } from './admission-statements';

const WORKSPACES = 32;
const STARTS_OF_WORKSPACE = 128;
const STARTS = 512;
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

type Outcome = Admitted | Problem;

/**
 * Admits sessions to workspaces: never more than the limit, counted exactly, and durable before any start is answered.
 *
 * Starts stand in line by workspace, and are committed in batches of several workspaces (`database/group-commit.ts`). Each
 * start is decided by `admission-rules.ts`:
 *
 * 1. Together: decide from what was last read, then write the whole batch with one statement. It locks the workspaces'
 *    rows, counts and inserts. A workspace is left out if somebody holds its row, if its revision or that of a flow is
 *    another than expected, if the limit leaves too little room, if 80 % or all of the limit is about to be used, or if an
 *    idempotency key is taken.
 * 2. Alone: a workspace that was left out is written by itself, waiting for its row. Other processes may keep it busy.
 * 3. After reading, if that fails too or nothing is remembered: lock the row, read, decide, write, in one transaction. This
 *    also records that 80 % or all of the limit is used, which is an event.
 *
 * If Citus spreads the workspaces over several servers, each goes by itself and after reading.
 *
 * A workspace has one batch in progress at a time, so the starts of a process never wait for each other's locks.
 */
@Injectable()
export class AdmissionService {
  private readonly group: GroupCommit<Start, Admitted>;
  private readonly batchSize: Histogram;

  /** Flows and workspaces as last read: a guess that the revisions confirm or refuse. */
  private readonly expectedFlows: CacheRegion<FlowRow>;
  private readonly expectedWorkspaces: CacheRegion<WorkspaceRow>;

  constructor(
    private readonly transactions: Transactions,
    private readonly pooler: Pooler,
    private readonly citus: Citus,
    private readonly flows: FlowLookup,
    private readonly outbox: Outbox,
    { databasePoolSize }: Config,
    cache: Cache,
    metrics: Metrics,
  ) {
    this.expectedFlows = cache.region('expected flow');
    this.expectedWorkspaces = cache.region('expected workspace');
    this.batchSize = metrics.histogram('session_start_batch_size', 'Starts that were committed together', BATCH_SIZES);
    const half = Math.ceil(databasePoolSize / 2);
    this.group = new GroupCommit<Start, Admitted>(
      {
        lanes: half,
        aloneLanes: Math.max(1, half - 1),
        lanesOfKey: 1,
        keys: citus.isPresent ? 1 : WORKSPACES,
        membersOfKey: STARTS_OF_WORKSPACE,
        members: STARTS,
        waitMs: 5000,
      },
      citus.isPresent
        ? { together: async ([starts]) => [await this.admitAfterReading(starts)] }
        : { together: (groups) => this.admitTogether(groups), alone: (starts) => this.admitAlone(starts) },
    );
    metrics.gauge('session_start_queue_length', 'Starts that wait for a batch', () => this.group.queueLength);
  }

  /** Begins a session, or throws the Problem that prevents it. */
  admit(start: Start): Promise<Admitted> {
    return this.group.submit(start.workspace_id, start);
  }

  private async admitTogether(groups: Start[][]): Promise<(Outcome[] | undefined)[]> {
    const decided = groups.map((starts) => this.decideAsExpected(starts));
    const writes = decided.filter((one) => one !== undefined);
    if (writes.length === 0) return groups.map(() => undefined);
    const written = await this.transactions.runStatement((client) => this.statements(client).writeFree(writes));
    this.announce(written);
    const ids = new Set(written.map(({ workspace_id }) => workspace_id));
    const done = decided.map((one) => (one && ids.has(one.workspace.id) ? one : undefined));
    const started = done.reduce((sum, one) => sum + (one?.begun.length ?? 0), 0);
    if (started > 0) this.batchSize.observe(started);
    return done.map((one) => one?.outcomes);
  }

  private async admitAlone(starts: Start[]): Promise<Outcome[]> {
    const decided = this.decideAsExpected(starts);
    if (decided && (await this.writeOne(decided))) {
      this.batchSize.observe(decided.begun.length);
      return decided.outcomes;
    }
    return this.admitAfterReading(starts);
  }

  /** Whether the sessions were written. If not, reading tells why. */
  private async writeOne(write: Write): Promise<boolean> {
    try {
      const written = await this.transactions.runStatement((client) => this.statements(client).writeOne(write));
      this.announce(written);
      return written.length === 1;
    } catch (error) {
      // While the statement waited for the row, a session with one of the idempotency keys was committed.
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  private async admitAfterReading(starts: Start[]): Promise<Outcome[]> {
    const workspaceId = starts[0].workspace_id;
    let written: Written[] = [];
    const admitted = await this.transactions.runPipelined(async (client, manager) => {
      const statements = this.statements(client);
      const [row, customer_keys, flows, sessions] = await Promise.all([
        statements.lock(workspaceId),
        statements.customerKeysOf(workspaceId),
        statements.flowsOf(workspaceId, starts),
        statements.earlierThan(workspaceId, starts),
      ]);
      const workspace = { ...row, customer_keys };
      this.expectedWorkspaces.set(workspaceId, workspace);
      const situation: Situation = { workspace, room: workspace.room, flows: new Map(), earlier: [] };
      for (const flow of flows) {
        this.expectedFlows.set(flow.id, flow);
        const version = await this.flows.version(workspaceId, flow.id, flow.current_version, manager);
        situation.flows.set(flow.id, { flow, version });
      }
      for (const { session_id, flow_id, flow_version, idempotency_key, request_hash } of sessions) {
        const version = await this.flows.version(workspaceId, flow_id, flow_version, manager);
        const idempotency = idempotency_key ? { key: idempotency_key, request_hash: request_hash! } : undefined;
        situation.earlier.push({ session_id, idempotency, version });
      }
      const { outcomes, begun } = decide(starts, situation);
      const write = async () => {
        written = await statements.writeLocked({ ...situation, begun });
        if (written.length !== 1)
          throw new Error('The starts were not written, although nothing changes under the lock');
        this.batchSize.observe(begun.length);
      };
      if (begun.length === 0) return { result: outcomes, last: () => undefined };
      if (!this.citus.isPresent) return { result: outcomes, last: write };
      await write();
      return { result: outcomes, last: () => undefined };
    });
    this.announce(written);
    return admitted;
  }

  private announce(written: Written[]): void {
    for (const { workspace_id, has_events } of written) if (has_events) this.outbox.announce(workspace_id);
  }

  /**
   * Decides from what was last read; undefined unless all of it is remembered and a session can begin. A start with a key is not
   * refused in this way, because it may have a session already.
   */
  private decideAsExpected(starts: Start[]): (Write & { outcomes: Outcome[] }) | undefined {
    const workspace = this.expectedWorkspaces.get(starts[0].workspace_id);
    if (!workspace) return undefined;
    const flows: Situation['flows'] = new Map();
    for (const { flow_id } of starts) {
      if (flows.has(flow_id)) continue;
      const flow = this.expectedFlows.get(flow_id);
      const version = flow && this.flows.knownVersion(flow_id, flow.current_version);
      if (!version) return undefined;
      flows.set(flow_id, { flow, version });
    }
    // How much room is left is not guessed: the statement checks it.
    const room = workspace.room > 0 ? Infinity : 0;
    const { outcomes, begun } = decide(starts, { workspace, room, flows, earlier: [] });
    const mayBeRepeated = starts.some(({ idempotency }, index) => idempotency && outcomes[index] instanceof Problem);
    return begun.length > 0 && !mayBeRepeated ? { workspace, flows, begun, outcomes } : undefined;
  }

  private statements(client: PoolClient): AdmissionStatements {
    const Statements = this.citus.isPresent ? SpreadAdmissionStatements : AdmissionStatements;
    return new Statements(client, this.pooler);
  }
}
