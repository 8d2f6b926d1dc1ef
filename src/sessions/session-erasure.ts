import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { MAX_ERASED } from '../outbox/event-types';
import type { SplitNode } from '../flows/graph/flow-definition';
import { statement } from '../platform/database/transaction/statement';
import { now } from '../platform/database/time';
import type { Erasure } from '../privacy/erasure.entity';
import { Erasable, type Erased } from '../privacy/erasure.service';
import type { Work } from '../tenancy/work/work';
import { FlowSession } from './flow-session.entity';
import { SessionStep } from './session-step.entity';
import { armFor } from '../flows/graph/arms';
import type { Draws } from '../flows/graph/draws';

const BATCH = 1000;

/** The splits of the versions that the sessions in progress are on. */
const SPLITS = statement(
  `SELECT flow_id, version AS flow_version, draws, jsonb_path_query_array(definition, '$.nodes[*] ? (@.type == "split")') AS splits
  FROM flow_versions WHERE workspace_id = :workspace AND definition @? '$.nodes[*] ? (@.type == "split")' AND (flow_id, version) IN (
    SELECT flow_id, flow_version FROM flow_sessions
    WHERE workspace_id = :workspace AND id = ANY (:sessions) AND status = 'in_progress')`,
);

/** SQL for a shown offer with its texts as somebody else would read them. */
const impersonal = (offer: string) => `coalesce(${offer} || (${offer} -> 'impersonal'), ${offer}) - 'impersonal'`;

const FORGET_IN_STEPS = statement(
  `UPDATE session_steps SET offer = ${impersonal('offer')}
  WHERE workspace_id = :workspace AND flow_session_id = ANY (:sessions) AND offer ? 'impersonal'`,
);

const FORGET_IN_SESSIONS = statement(
  `UPDATE flow_sessions SET presented_offer = ${impersonal('presented_offer')}, accepted_offer = ${impersonal('accepted_offer')}
  WHERE workspace_id = :workspace AND id = ANY (:sessions) AND (presented_offer ? 'impersonal' OR accepted_offer ? 'impersonal')`,
);

/** Something that is kept of sessions' customers beside the sessions. It registers itself, as `Erasable` does. */
export abstract class ErasedWithSessions {
  constructor(sessions: SessionErasure) {
    sessions.add(this);
  }

  /** Erases what is kept of sessions. They are locked. */
  abstract erase(work: Work, sessionIds: string[]): Promise<void>;
}

/** Erases customers from their sessions. */
@Injectable()
export class SessionErasure extends Erasable {
  private readonly beside: ErasedWithSessions[] = [];

  override readonly isFirst = true;

  add(beside: ErasedWithSessions): void {
    this.beside.push(beside);
  }

  /**
   * Locks the sessions first, so that a step under way is either erased with them or sees that they were erased. FOR
   * UPDATE, so that results of deliveries, which may quote the customer, wait too: they lock sessions in a way that no
   * step waits for.
   */
  async erase(work: Work, customer: Erasure): Promise<Erased> {
    const { customer_id } = customer;
    const lock = { mode: 'pessimistic_write' } as const;
    const sessions = await work.find(FlowSession, { customer_id }, { select: { id: true }, take: BATCH, lock });
    const ids = sessions.map(({ id }) => id);
    if (ids.length > 0) await this.eraseAll(work, customer, ids);
    return { sessions: ids.length, isMore: ids.length === BATCH };
  }

  private async eraseAll(work: Work, { customer_id, stand_in }: Erasure, ids: string[]): Promise<void> {
    const steps = { flow_session_id: In(ids) };
    await work.update(SessionStep, { ...steps, comment: Not(IsNull()) }, { comment: null, words: null });
    await work.update(SessionStep, { ...steps, result: Not(IsNull()) }, { result: null });
    await work.update(
      FlowSession,
      { id: In(ids) },
      {
        customer_id: null,
        erased_customer: stand_in,
        customer: null,
        subscription_id: null,
        billing_customer_id: null,
        facts: null,
        eligibility: null,
        customer_verified: false,
        idempotency_key: null,
        request_hash: null,
        erased_at: now,
      },
    );
    await keepArms(work, customer_id, ids);
    for (const forget of [FORGET_IN_STEPS, FORGET_IN_SESSIONS]) await work.write(forget, { sessions: ids });
    for (const beside of this.beside) await beside.erase(work, ids);
    for (let first = 0; first < ids.length; first += MAX_ERASED) {
      await work.emit({ type: 'customer.erased', data: { flow_session_ids: ids.slice(first, first + MAX_ERASED) } });
    }
  }
}

/** Stores the arms that sessions in progress have ahead: the id that they are drawn by is erased. */
async function keepArms(work: Work, customerId: string, ids: string[]): Promise<void> {
  type Row = Pick<FlowSession, 'flow_id' | 'flow_version'> & { splits: SplitNode[]; draws: Draws };
  for (const { splits, draws, ...version } of await work.rows<Row>(SPLITS, { sessions: ids })) {
    const arms = Object.fromEntries(splits.map((split) => [split.key, armFor(split, customerId, draws).name]));
    await work.update(FlowSession, { id: In(ids), ...version, status: 'in_progress' }, { arms });
  }
}
