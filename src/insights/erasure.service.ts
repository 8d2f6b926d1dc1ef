import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, In, IsNull, Not } from 'typeorm';
import { FulfilmentsService } from '../billing/fulfilments.service';
import { OutcomesService } from '../billing/outcomes.service';
import { type Job, Jobs } from '../database/jobs.service';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { ManagementLimits } from '../database/management-limits.service';
import { DeliveriesService } from '../delivery/deliveries.service';
import { MAX_ERASED } from '../events/event-types';
import { Outbox } from '../events/outbox.service';
import type { SplitNode } from '../flows/flow-definition';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { armFor } from '../runtime/step/silent-nodes';
import { type Actor, THE_SERVICE } from '../tenancy/actor';
import { ChangeLog } from '../tenancy/changes/change-log.service';
import { Erasure } from './erasure.entity';

const BATCH = 1000;
const FINISH_EVERY_MS = 10 * 60_000;

/** $1: workspace, $2: customer. What stands for the customer, the same until all is erased. Erases of one customer wait for each other. */
const BEGIN = `
  INSERT INTO erasures (workspace_id, customer_id, stand_in) VALUES ($1, $2, gen_random_uuid())
  ON CONFLICT (workspace_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING stand_in`;

/** $1: workspace, $2: ids of sessions. The splits of the versions that those in progress are on. */
const SPLITS = `
  SELECT flow_id, version AS flow_version, jsonb_path_query_array(definition, '$.nodes[*] ? (@.type == "split")') AS splits
  FROM flow_versions WHERE workspace_id = $1 AND definition @? '$.nodes[*] ? (@.type == "split")' AND (flow_id, version) IN (
    SELECT flow_id, flow_version FROM flow_sessions WHERE workspace_id = $1 AND id = ANY ($2) AND status = 'in_progress')`;

/** In SQL: a shown offer with its texts as somebody else would read them. */
const impersonal = (offer: string) => `coalesce(${offer} || (${offer} -> 'impersonal'), ${offer}) - 'impersonal'`;

/** $1: workspace, $2: ids of sessions. */
const FORGET_IN_OFFERS = [
  `UPDATE session_steps SET offer = ${impersonal('offer')}
    WHERE workspace_id = $1 AND flow_session_id = ANY ($2) AND offer ? 'impersonal'`,
  `UPDATE flow_sessions SET presented_offer = ${impersonal('presented_offer')}, accepted_offer = ${impersonal('accepted_offer')}
    WHERE workspace_id = $1 AND id = ANY ($2) AND (presented_offer ? 'impersonal' OR accepted_offer ? 'impersonal')`,
];

/** Erases what identifies a customer. What is cut short, a job finishes. */
@Injectable()
export class ErasureService {
  private readonly job: Job;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly limits: ManagementLimits,
    private readonly outcomes: OutcomesService,
    private readonly fulfilments: FulfilmentsService,
    private readonly deliveries: DeliveriesService,
    private readonly outbox: Outbox,
    private readonly changes: ChangeLog,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Finishing erasures', everyMs: FINISH_EVERY_MS, run: () => this.finish() });
  }

  /**
   * Erases a customer from all sessions and outcomes, and returns from how many sessions. They and all counts stay: they have the same
   * random id instead of the customer's, so that they still count as one person. It goes in batches, so that locks are held
   * briefly. Two at once erase a customer once.
   */
  async erase(workspaceId: string, customerId: string, actor: Actor): Promise<number> {
    const erase = () => this.transactions.run((manager) => this.eraseBatch(workspaceId, customerId, actor, manager));
    let erased = 0;
    for (let isMore = true; isMore;) {
      const batch = await this.limits.long.run(workspaceId, erase);
      if (batch.sessions > 0) this.outbox.announce(workspaceId);
      erased += batch.sessions;
      isMore = batch.isMore;
    }
    return erased;
  }

  private async finish(): Promise<boolean> {
    const begun = await this.dataSource.query<Erasure[]>('SELECT workspace_id, customer_id FROM erasures');
    await this.job.forEach(begun, async ({ workspace_id, customer_id }) => {
      await this.erase(workspace_id, customer_id, THE_SERVICE);
    });
    return false;
  }

  /**
   * Locks the sessions first, so that a step under way is either erased with them or sees that they were erased. FOR UPDATE,
   * so that results of deliveries, which may quote the customer, wait too: they lock sessions in a way that no step waits for.
   */
  private async eraseBatch(
    workspaceId: string,
    customerId: string,
    actor: Actor,
    manager: EntityManager,
  ): Promise<{ sessions: number; isMore: boolean }> {
    const [{ stand_in: standIn }] = await manager.query<{ stand_in: string }[]>(BEGIN, [workspaceId, customerId]);
    const sessions = await manager.find(FlowSession, {
      select: { id: true },
      where: { workspace_id: workspaceId, customer_id: customerId },
      take: BATCH,
      lock: { mode: 'pessimistic_write' },
    });
    const areMoreOutcomes = await this.outcomes.erase(workspaceId, customerId, standIn, manager);
    const isMore = areMoreOutcomes || sessions.length === BATCH;
    if (!isMore) await manager.delete(Erasure, { workspace_id: workspaceId, customer_id: customerId });
    // Not whom: that is erased.
    const subject = { type: 'customer' as const, id: null, name: 'A customer' };
    const details = { sessions: sessions.length };
    await this.changes.append(workspaceId, { actor, action: 'customer.erased', subject, details }, manager);
    if (sessions.length === 0) return { sessions: 0, isMore };
    const ids = sessions.map(({ id }) => id);
    await manager.update(
      SessionStep,
      { workspace_id: workspaceId, flow_session_id: In(ids), comment: Not(IsNull()) },
      { comment: null },
    );
    await manager.update(
      FlowSession,
      { workspace_id: workspaceId, id: In(ids) },
      {
        customer_id: null,
        erased_customer: standIn,
        customer: null,
        subscription_id: null,
        billing_customer_id: null,
        eligibility: null,
        customer_verified: false,
        idempotency_key: null,
        request_hash: null,
        erased_at: now,
      },
    );
    await keepArms(workspaceId, customerId, ids, manager);
    for (const statement of FORGET_IN_OFFERS) await manager.query(statement, [workspaceId, ids]);
    await this.fulfilments.erase(workspaceId, ids, manager);
    await this.deliveries.forgetResponses(workspaceId, ids, manager);
    for (let first = 0; first < ids.length; first += MAX_ERASED) {
      const data = { flow_session_ids: ids.slice(first, first + MAX_ERASED) };
      await this.outbox.append(workspaceId, { type: 'customer.erased', data }, manager);
    }
    return { sessions: ids.length, isMore };
  }
}

/** Stores the arms that sessions in progress have ahead: the id that they are drawn by is erased. */
async function keepArms(workspaceId: string, customerId: string, ids: string[], manager: EntityManager): Promise<void> {
  type Row = Pick<FlowSession, 'flow_id' | 'flow_version'> & { splits: SplitNode[] };
  for (const { splits, ...version } of await manager.query<Row[]>(SPLITS, [workspaceId, ids])) {
    const arms = Object.fromEntries(splits.map((split) => [split.key, armFor(split, customerId).name]));
    await manager.update(
      FlowSession,
      { workspace_id: workspaceId, id: In(ids), ...version, status: 'in_progress' },
      { arms },
    );
  }
}
