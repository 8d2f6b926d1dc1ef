import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager, In, IsNull, Not } from 'typeorm';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { ErasedCustomers } from '../delivery/erased-customers.service';
import { MAX_ERASED } from '../events/event-types';
import { Outbox } from '../events/outbox.service';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';

const BATCH = 1000;

/** Erases what identifies a customer. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly transactions: Transactions,
    private readonly turns: Turns,
    private readonly deliveries: ErasedCustomers,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Erases a customer from all sessions, and returns from how many. The sessions and all counts stay: the sessions have the same
   * random id instead of the customer's, so that they still count as one person. It goes in batches, so that locks are held
   * briefly; if it is cut short, the next call erases the rest, which counts as another person.
   */
  async erase(workspaceId: string, customerId: string): Promise<number> {
    const standIn = randomUUID();
    let erased = 0;
    for (let batch = BATCH; batch === BATCH; erased += batch) {
      const erase = () =>
        this.transactions.run((manager) => this.eraseBatch(workspaceId, customerId, standIn, manager));
      batch = await this.turns.run(workspaceId, erase);
      if (batch > 0) this.outbox.announce(workspaceId);
    }
    return erased;
  }

  /**
   * Locks the sessions first, so that a step under way is either erased with them or sees that they were erased. FOR UPDATE,
   * so that results of deliveries, which may quote the customer, wait too: they lock sessions in a way that no step waits for.
   */
  private async eraseBatch(
    workspaceId: string,
    customerId: string,
    standIn: string,
    manager: EntityManager,
  ): Promise<number> {
    const sessions = await manager.find(FlowSession, {
      select: { id: true },
      where: { workspace_id: workspaceId, customer_id: customerId },
      take: BATCH,
      lock: { mode: 'pessimistic_write' },
    });
    if (sessions.length === 0) return 0;
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
        customer_verified: false,
        idempotency_key: null,
        request_hash: null,
        erased_at: now,
      },
    );
    await this.deliveries.forgetResponses(workspaceId, ids, manager);
    for (let first = 0; first < ids.length; first += MAX_ERASED) {
      const data = { flow_session_ids: ids.slice(first, first + MAX_ERASED) };
      await this.outbox.append(workspaceId, { type: 'customer.erased', data }, manager);
    }
    return ids.length;
  }
}
