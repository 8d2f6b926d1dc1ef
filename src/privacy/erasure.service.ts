import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { type Job, Jobs } from '../platform/database/queue/jobs.service';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { statement } from '../platform/database/transaction/statement';
import { type Tenant, theServiceIn } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Work } from '../tenancy/work/work';
import { Erasure } from './erasure.entity';

const FINISH_EVERY_MS = 10 * 60_000;

/** The stand-in is the same until all is erased. Erasures of one customer wait for each other. */
const BEGIN = statement(
  `INSERT INTO erasures (workspace_id, customer_id, stand_in) VALUES (:workspace, :customer, gen_random_uuid())
  ON CONFLICT (workspace_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING *`,
);

const BEGUN = statement('SELECT workspace_id, customer_id FROM erasures');

export interface Erased {
  /** The number of sessions that the customer was erased from. */
  sessions: number;
  /** Whether there may be more rows of the customer. */
  isMore: boolean;
}

/** Erases what identifies a customer. What is cut short, a job finishes. */
@Injectable()
export class ErasureService {
  private readonly erasables: Erasable[] = [];
  private readonly job: Job;

  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    private readonly limits: ManagementLimits,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Finishing erasures', everyMs: FINISH_EVERY_MS, run: () => this.finish() });
  }

  add(erasable: Erasable): void {
    this.erasables.push(erasable);
  }

  /**
   * Erases a customer, and returns from how many sessions. Sessions, outcomes and all counts stay: they have the same
   * random id instead of the customer's, so that they still count as one person. It goes in batches, so that locks are
   * held briefly. Two at once erase a customer once.
   */
  async erase(tenant: Tenant, customerId: string): Promise<number> {
    const eraseSome = () => this.units.run(tenant, (work) => this.eraseSome(work, customerId));
    let erased = 0;
    for (let isMore = true; isMore;) {
      const batch = await this.limits.long.run(tenant.workspaceId, eraseSome);
      erased += batch.sessions;
      isMore = batch.isMore;
    }
    return erased;
  }

  private async finish(): Promise<boolean> {
    const begun = await this.connections.rows<Erasure>(BEGUN);
    await this.job.forEach(begun, async ({ workspace_id, customer_id }) => {
      await this.erase(theServiceIn(workspace_id), customer_id);
    });
    return false;
  }

  private async eraseSome(work: Work, customerId: string): Promise<Erased> {
    const customer = (await work.row<Erasure>(BEGIN, { customer: customerId }))!;
    let sessions = 0;
    let isMore = false;
    const inOrder = this.erasables.toSorted((one, other) => +other.isFirst - +one.isFirst);
    for (const erasable of inOrder) {
      const erased = await erasable.erase(work, customer);
      sessions += erased.sessions;
      isMore ||= erased.isMore;
    }
    if (!isMore) await work.delete(Erasure, { customer_id: customerId });
    // Not whom: that is erased.
    const subject = { type: 'customer' as const, id: null, name: 'A customer' };
    work.log({ action: 'customer.erased', subject, details: { sessions } });
    return { sessions, isMore };
  }
}

/** Something that has customers' ids. It registers itself: list it in `providers` of its module. */
@Injectable()
export abstract class Erasable {
  constructor(erasure: ErasureService) {
    erasure.add(this);
  }

  /** Whether it locks the customer's sessions, so that nothing is added to them meanwhile. */
  readonly isFirst: boolean = false;

  /** Erases a customer from up to 1,000 rows. They count as those of the stand-in from then on. */
  abstract erase(work: Work, customer: Erasure): Promise<Erased>;
}
