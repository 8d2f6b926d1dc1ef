import { Injectable } from '@nestjs/common';
import { EntityManager, In, IsNull, Not } from 'typeorm';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';

const BATCH = 1000;

/** Erases what identifies a customer. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  /**
   * Erases a customer from all sessions, and returns from how many. The sessions and all counts stay. It goes in batches,
   * so that locks are held briefly; if it is cut short, the next call erases the rest.
   */
  async erase(workspaceId: string, customerId: string): Promise<number> {
    let erased = 0;
    for (let batch = BATCH; batch === BATCH; erased += batch) {
      const erase = () => this.transactions.run((manager) => eraseBatch(workspaceId, customerId, manager));
      batch = await this.turns.run(workspaceId, erase);
    }
    return erased;
  }
}

/** Locks the sessions first, so that a step under way is either erased with them or sees that they were erased. */
async function eraseBatch(workspaceId: string, customerId: string, manager: EntityManager): Promise<number> {
  const sessions = await manager.find(FlowSession, {
    select: { id: true },
    where: { workspace_id: workspaceId, customer_id: customerId },
    take: BATCH,
    lock: { mode: 'for_no_key_update' },
  });
  if (sessions.length === 0) return 0;
  const ids = In(sessions.map(({ id }) => id));
  await manager.update(
    SessionStep,
    { workspace_id: workspaceId, flow_session_id: ids, comment: Not(IsNull()) },
    { comment: null },
  );
  await manager.update(
    FlowSession,
    { workspace_id: workspaceId, id: ids },
    { customer_id: null, customer: null, idempotency_key: null, request_hash: null, erased_at: now },
  );
  return sessions.length;
}
