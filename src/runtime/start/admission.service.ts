import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Cache, type CacheRegion } from '../../common/cache';
import { Metrics } from '../../common/metrics';
import { Problem } from '../../common/problem';
import { Pooler } from '../../database/pooler';
import { Transactions } from '../../database/transactions';
import { FlowLookup } from '../../flows/flow-lookup.service';
import {
  type Admitted,
  decide,
  type Situation,
  type Start,
  type StartableFlow,
  type WorkspaceSettings,
} from './admission-rules';
import { AdmissionStatements, type FlowRow } from './admission-statements';
import { AdmissionWrites } from './admission-writes.service';
import { GroupCommit, type Limits } from '../../common/group-commit';

/** For the starts of one workspace: batches go one after the other, because each changes the same counter. */
const LIMITS: Limits = { lanes: 1, batch: 128, waitMs: 5000 };
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, LIMITS.batch];

type Outcome = Admitted | Problem;

/** Admits sessions to workspaces: never more than the limit, and durable before any start is answered. */
@Injectable()
export class AdmissionService {
  /** One for each workspace that has a start under way, by its id. */
  private readonly groups = new Map<string, GroupCommit<Start, Outcome>>();

  private readonly batchSize: Histogram;

  /** Flows and settings as last read: a guess that the database confirms or refuses. */
  private readonly expectedFlows: CacheRegion<FlowRow>;
  private readonly expectedSettings: CacheRegion<WorkspaceSettings>;

  constructor(
    private readonly transactions: Transactions,
    private readonly writes: AdmissionWrites,
    private readonly pooler: Pooler,
    private readonly flows: FlowLookup,
    cache: Cache,
    metrics: Metrics,
  ) {
    this.expectedFlows = cache.region('expected flow');
    this.expectedSettings = cache.region('expected settings');
    this.batchSize = metrics.histogram('session_start_batch_size', 'Starts that were committed together', BATCH_SIZES);
    metrics.gauge('session_start_queue_length', 'Starts that wait for a batch', () => this.queueLength);
  }

  /** Begins a session, or throws the Problem that prevents it. */
  async admit(workspaceId: string, start: Start): Promise<Admitted> {
    const outcome = await this.groupOf(workspaceId).submit(start);
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  }

  private groupOf(workspaceId: string): GroupCommit<Start, Outcome> {
    const current = this.groups.get(workspaceId);
    if (current) return current;
    const commit = async (starts: Start[]) => {
      this.batchSize.observe(starts.length);
      return (await this.admitAsExpected(workspaceId, starts)) ?? (await this.admitAfterReading(workspaceId, starts));
    };
    const group = new GroupCommit(LIMITS, commit, () => this.groups.delete(workspaceId));
    this.groups.set(workspaceId, group);
    return group;
  }

  private get queueLength(): number {
    let length = 0;
    for (const { queueLength } of this.groups.values()) length += queueLength;
    return length;
  }

  /**
   * Decides the starts from what was last read, and writes them in a single statement that holds only if nothing has
   * changed. Returns undefined, and writes nothing, if something has changed or if a start would be refused.
   */
  private async admitAsExpected(workspaceId: string, starts: Start[]): Promise<Outcome[] | undefined> {
    const situation = this.expectedFor(workspaceId, starts);
    if (!situation) return undefined;
    const { outcomes, begun } = decide(starts, situation);
    if (outcomes.some((outcome) => outcome instanceof Problem)) return undefined;
    const written = await this.writes.submit({ workspaceId, begun, settings: situation.workspace });
    return written ? outcomes : undefined;
  }

  /** Locks the workspace's row, reads everything that bears on the starts, decides each, and writes those that begin. */
  private admitAfterReading(workspaceId: string, starts: Start[]): Promise<Outcome[]> {
    return this.transactions.runPipelined(async (client, manager) => {
      const statements = new AdmissionStatements(client, workspaceId, !this.pooler.isPresent);
      const [workspace, flows, sessions] = await Promise.all([
        statements.lock(),
        statements.flowsOf(starts),
        statements.earlierThan(starts),
      ]);
      this.expectedSettings.set(workspaceId, workspace);
      const situation: Situation = { workspace, usage: workspace, flows: new Map(), earlier: new Map() };
      for (const flow of flows) {
        const version = await this.flows.version(workspaceId, flow.id, flow.current_version, manager);
        situation.flows.set(flow.id, { flow, version });
        this.expectedFlows.set(flow.id, flow);
      }
      for (const { session_id, flow_id, flow_version, idempotency_key, request_hash } of sessions) {
        const version = await this.flows.version(workspaceId, flow_id, flow_version, manager);
        situation.earlier.set(idempotency_key, { session_id, request_hash, version });
      }
      const { outcomes, begun } = decide(starts, situation);
      if (begun.length === 0) return { result: outcomes, sent: [] };
      const written = statements.write(begun, workspace).then((all) => {
        if (!all) throw new Error('The starts were not written, although nothing can have changed under the lock');
      });
      return { result: outcomes, sent: [written] };
    });
  }

  /** The situation as last read; undefined unless all of it is remembered. */
  private expectedFor(workspaceId: string, starts: Start[]): Situation | undefined {
    const workspace = this.expectedSettings.get(workspaceId);
    if (!workspace) return undefined;
    const flows = new Map<string, StartableFlow>();
    for (const { flow_id } of starts) {
      if (flows.has(flow_id)) continue;
      const flow = this.expectedFlows.get(flow_id);
      const version = flow && this.flows.knownVersion(flow_id, flow.current_version);
      if (!version) return undefined;
      flows.set(flow_id, { flow, version });
    }
    // The room under the limit is not guessed: the statement checks it.
    const usage = { session_limit: Infinity, sessions_used: 0 };
    return { workspace, usage, flows, earlier: new Map() };
  }
}
