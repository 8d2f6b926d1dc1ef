import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { isSessionId } from '../common/ids';
import { Problem } from '../common/problem';
import { now } from '../database/time';
import { Transactions } from '../database/transactions';
import { Outbox } from '../events/outbox.service';
import { FlowSession } from '../runtime/flow-session.entity';
import { Fulfilment } from '../runtime/fulfilment.entity';
import type { Actor } from '../tenancy/actor';
import { ChangeLog } from '../tenancy/changes/change-log.service';
import { BillingConnection } from './billing-connection.entity';
import { type ChangeFulfilmentDto, type FulfilmentDto, NO_FULFILMENT } from './dto/fulfilment.dto';
import { FORGET, RESTART } from './fulfilment-statements';
import { PROVIDER_KINDS } from './providers';

/** What became of sessions in the billing system, and what a person decides about it. The work itself is in `fulfilment-worker.ts`. */
@Injectable()
export class FulfilmentsService {
  constructor(
    @InjectRepository(Fulfilment) private readonly fulfilments: Repository<Fulfilment>,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly changes: ChangeLog,
  ) {}

  /** Those of sessions, by the id of the record. */
  async of(workspaceId: string, sessionIds: string[]): Promise<(sessionId: string) => FulfilmentDto> {
    const rows = await this.fulfilments.findBy({ workspace_id: workspaceId, flow_session_id: In(sessionIds) });
    if (rows.length === 0) return () => NO_FULFILMENT;
    const connection = await this.fulfilments.manager.findOneBy(BillingConnection, { workspace_id: workspaceId });
    const shown = new Map(rows.map((row) => [row.flow_session_id, shownOf(row, connection)]));
    return (sessionId) => shown.get(sessionId) ?? NO_FULFILMENT;
  }

  /** @param id of the record, or the session_id that a page was given */
  async change(workspaceId: string, id: string, { action }: ChangeFulfilmentDto, actor: Actor): Promise<FulfilmentDto> {
    const flow_session_id = await this.transactions.run(async (manager) => {
      const named = isSessionId(id) ? { session_id: id } : { id };
      const session = await manager.findOne(FlowSession, {
        select: { id: true },
        where: { workspace_id: workspaceId, ...named },
      });
      if (!session) throw new Problem('not_found');
      const key = { workspace_id: workspaceId, flow_session_id: session.id };
      const job = await manager.findOne(Fulfilment, { where: key, lock: { mode: 'for_no_key_update' } });
      if (!job || job.state === 'pending' || job.state === 'applied') throw new Problem('nothing_to_fulfil');
      await (action === 'retry' ? this.retry(job, manager) : this.finish(job, manager));
      const subject = { type: 'fulfilment' as const, id: session.id, name: 'A session' };
      const done = action === 'retry' ? ('fulfilment.retried' as const) : ('fulfilment.done' as const);
      await this.changes.append(workspaceId, { actor, action: done, subject }, manager);
      return session.id;
    });
    this.outbox.announce(workspaceId);
    return (await this.of(workspaceId, [flow_session_id]))(flow_session_id);
  }

  /** Forgets what jobs of erased sessions know of their customer, but for the subscription of those that are not done yet. */
  async erase(workspaceId: string, sessionIds: string[], manager: EntityManager): Promise<void> {
    await manager.query(FORGET, [workspaceId, sessionIds]);
  }

  private async retry({ workspace_id, flow_session_id }: Fulfilment, manager: EntityManager): Promise<void> {
    const connection = await manager.findOneBy(BillingConnection, { workspace_id });
    if (!connection) throw new Problem('nothing_to_fulfil', {}, 'There is no connection to a billing system.');
    await manager.query(RESTART, [workspace_id, flow_session_id, connection.mode]);
  }

  private async finish({ workspace_id, flow_session_id }: Fulfilment, manager: EntityManager): Promise<void> {
    const done = { state: 'applied' as const, detail: 'Done by hand.', updated_at: now };
    await manager.update(Fulfilment, { workspace_id, flow_session_id }, done);
    await this.erase(workspace_id, [flow_session_id], manager);
    await this.outbox.append(workspace_id, { type: 'fulfilment.applied', flow_session_id }, manager);
  }
}

function shownOf(
  { state, updated_at: at, detail, subscription_id }: Fulfilment,
  connection: BillingConnection | null,
): FulfilmentDto {
  const url =
    subscription_id && connection
      ? PROVIDER_KINDS[connection.provider].urlOf(subscription_id, connection.is_live)
      : null;
  return { state, at, detail, url };
}
