import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { Problem } from '../common/problem';
import { Transactions } from '../database/transactions';
import { FlowLookup } from '../flows/flow-lookup.service';
import { usageAt } from '../workspaces/usage';
import { type Admitted, decide, type Start } from './admission-rules';
import { AdmissionStatements } from './admission-statements';
import { GroupCommit } from './group-commit';

/** Admits sessions to workspaces: exactly as many as their limit, durable before anybody is answered. */
@Injectable()
export class AdmissionService {
  private readonly group = new GroupCommit<Start, Admitted | Problem>((workspaceId, starts) =>
    this.transactions.run((manager) => this.admitTogether(manager, workspaceId, starts)),
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly flows: FlowLookup,
    private readonly clock: Clock,
  ) {}

  /** Begins a session, or throws the Problem for which it can't. */
  async admit(workspaceId: string, start: Start): Promise<Admitted> {
    const outcome = await this.group.submit(workspaceId, start);
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  }

  /** One lock of the workspace's row, one check of its limit, one insert, one increment, however many starts. */
  private async admitTogether(
    manager: EntityManager,
    workspaceId: string,
    starts: Start[],
  ): Promise<(Admitted | Problem)[]> {
    const statements = await AdmissionStatements.on(manager, workspaceId);
    const { workspace, flows, sessions } = await statements.lockAndRead(starts);
    const now = this.clock.now();
    const usage = usageAt(workspace, now);
    const versionOf = (flow_id: string, version: number) => this.flows.version(manager, workspaceId, flow_id, version);
    const { outcomes, begun } = decide(starts, {
      workspace,
      usage,
      flows: new Map(
        await Promise.all(
          flows.map(
            async (flow) => [flow.id, { flow, version: await versionOf(flow.id, flow.current_version) }] as const,
          ),
        ),
      ),
      earlier: new Map(
        await Promise.all(
          sessions.map(
            async ({ id, flow_id, flow_version, idempotency_key, request_hash }) =>
              [
                idempotency_key!,
                { session_id: id, request_hash: request_hash!, version: await versionOf(flow_id, flow_version) },
              ] as const,
          ),
        ),
      ),
    });
    if (begun.length > 0) await statements.write(begun, usage, now);
    return outcomes;
  }
}
