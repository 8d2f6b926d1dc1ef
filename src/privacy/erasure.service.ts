import { Injectable } from '@nestjs/common';
import { DataSource, In, IsNull, Not } from 'typeorm';
import { FulfilmentsService } from '../billing/fulfilments.service';
import { OutcomesService } from '../billing/outcomes.service';
import { type Job, Jobs } from '../platform/database/jobs.service';
import { statement } from '../platform/database/statement';
import { now } from '../platform/database/time';
import { ManagementLimits } from '../platform/database/management-limits.service';
import { DeliveriesService } from '../events/deliveries/deliveries.service';
import { MAX_ERASED } from '../events/outbox/event-types';
import type { SplitNode } from '../flows/flow-definition';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { armFor } from '../runtime/step/silent-nodes';
import { type Tenant, theServiceIn } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { Work } from '../tenancy/work';
import { Erasure } from './erasure.entity';

const BATCH = 1000;
const FINISH_EVERY_MS = 10 * 60_000;

/** What stands for the customer, the same until all is erased. Erases of one customer wait for each other. */
const BEGIN = statement(
  `INSERT INTO erasures (workspace_id, customer_id, stand_in) VALUES (:workspace, :customer, gen_random_uuid())
  ON CONFLICT (workspace_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING stand_in`,
);

/** The splits of the versions that the sessions in progress are on. */
const SPLITS = statement(
  `SELECT flow_id, version AS flow_version, jsonb_path_query_array(definition, '$.nodes[*] ? (@.type == "split")') AS splits
  FROM flow_versions WHERE workspace_id = :workspace AND definition @? '$.nodes[*] ? (@.type == "split")' AND (flow_id, version) IN (
    SELECT flow_id, flow_version FROM flow_sessions
    WHERE workspace_id = :workspace AND id = ANY (:sessions) AND status = 'in_progress')`,
);

/** In SQL: a shown offer with its texts as somebody else would read them. */
const impersonal = (offer: string) => `coalesce(${offer} || (${offer} -> 'impersonal'), ${offer}) - 'impersonal'`;

const FORGET_IN_STEPS = statement(
  `UPDATE session_steps SET offer = ${impersonal('offer')}
  WHERE workspace_id = :workspace AND flow_session_id = ANY (:sessions) AND offer ? 'impersonal'`,
);

const FORGET_IN_SESSIONS = statement(
  `UPDATE flow_sessions SET presented_offer = ${impersonal('presented_offer')}, accepted_offer = ${impersonal('accepted_offer')}
  WHERE workspace_id = :workspace AND id = ANY (:sessions) AND (presented_offer ? 'impersonal' OR accepted_offer ? 'impersonal')`,
);

/** Erases what identifies a customer. What is cut short, a job finishes. */
@Injectable()
export class ErasureService {
  private readonly job: Job;

  constructor(
    private readonly dataSource: DataSource,
    private readonly units: UnitsOfWork,
    private readonly limits: ManagementLimits,
    private readonly outcomes: OutcomesService,
    private readonly fulfilments: FulfilmentsService,
    private readonly deliveries: DeliveriesService,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Finishing erasures', everyMs: FINISH_EVERY_MS, run: () => this.finish() });
  }

  /**
   * Erases a customer from all sessions and outcomes, and returns from how many sessions. They and all counts stay: they have the same
   * random id instead of the customer's, so that they still count as one person. It goes in batches, so that locks are held
   * briefly. Two at once erase a customer once.
   */
  async erase(tenant: Tenant, customerId: string): Promise<number> {
    const erase = () => this.units.run(tenant, (work) => this.eraseBatch(work, customerId));
    let erased = 0;
    for (let isMore = true; isMore;) {
      const batch = await this.limits.long.run(tenant.workspaceId, erase);
      erased += batch.sessions;
      isMore = batch.isMore;
    }
    return erased;
  }

  private async finish(): Promise<boolean> {
    const begun = await this.dataSource.query<Erasure[]>('SELECT workspace_id, customer_id FROM erasures');
    await this.job.forEach(begun, async ({ workspace_id, customer_id }) => {
      await this.erase(theServiceIn(workspace_id), customer_id);
    });
    return false;
  }

  /**
   * Locks the sessions first, so that a step under way is either erased with them or sees that they were erased. FOR UPDATE,
   * so that results of deliveries, which may quote the customer, wait too: they lock sessions in a way that no step waits for.
   */
  private async eraseBatch(work: Work, customerId: string): Promise<{ sessions: number; isMore: boolean }> {
    const { stand_in: standIn } = (await work.row<{ stand_in: string }>(BEGIN, { customer: customerId }))!;
    const lock = { mode: 'pessimistic_write' } as const;
    const some = { select: { id: true }, take: BATCH, lock };
    const sessions = await work.find(FlowSession, { customer_id: customerId }, some);
    const areMoreOutcomes = await this.outcomes.erase(work, customerId, standIn);
    const isMore = areMoreOutcomes || sessions.length === BATCH;
    if (!isMore) await work.delete(Erasure, { customer_id: customerId });
    // Not whom: that is erased.
    const subject = { type: 'customer' as const, id: null, name: 'A customer' };
    await work.log({ action: 'customer.erased', subject, details: { sessions: sessions.length } });
    if (sessions.length === 0) return { sessions: 0, isMore };
    const ids = sessions.map(({ id }) => id);
    await work.update(SessionStep, { flow_session_id: In(ids), comment: Not(IsNull()) }, { comment: null });
    await work.update(
      FlowSession,
      { id: In(ids) },
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
    await keepArms(work, customerId, ids);
    for (const forget of [FORGET_IN_STEPS, FORGET_IN_SESSIONS]) await work.write(forget, { sessions: ids });
    await this.fulfilments.erase(work, ids);
    await this.deliveries.forgetResponses(work, ids);
    for (let first = 0; first < ids.length; first += MAX_ERASED) {
      await work.emit({ type: 'customer.erased', data: { flow_session_ids: ids.slice(first, first + MAX_ERASED) } });
    }
    return { sessions: ids.length, isMore };
  }
}

/** Stores the arms that sessions in progress have ahead: the id that they are drawn by is erased. */
async function keepArms(work: Work, customerId: string, ids: string[]): Promise<void> {
  type Row = Pick<FlowSession, 'flow_id' | 'flow_version'> & { splits: SplitNode[] };
  for (const { splits, ...version } of await work.rows<Row>(SPLITS, { sessions: ids })) {
    const arms = Object.fromEntries(splits.map((split) => [split.key, armFor(split, customerId).name]));
    await work.update(FlowSession, { id: In(ids), ...version, status: 'in_progress' }, { arms });
  }
}
