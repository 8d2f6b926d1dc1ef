import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isSessionId } from '../../sessions/session-ids';
import { Problem } from '../../platform/api/problems/problem';
import { now } from '../../platform/database/time';
import { FlowSession } from '../../sessions/flow-session.entity';
import { ErasedWithSessions, SessionErasure } from '../../sessions/session-erasure';
import { Fulfilment } from '../../billing-jobs/fulfilment.entity';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { BillingConnection } from '../../billing-jobs/billing-connection.entity';
import { type ChangeFulfilmentDto, type FulfilmentDto, NO_FULFILMENT } from '../dto/fulfilment.dto';
import { FORGET, RESTART } from './fulfilment-statements';
import { PROVIDER_KINDS } from '../model/providers';

/** A session that may have been decided. */
type Decided = Pick<FlowSession, 'id' | 'status_now'>;

/**
 * Reads the fulfilments of sessions, and lets a person retry one or mark it as done. `fulfilment-worker.ts` does the
 * work.
 */
@Injectable()
export class FulfilmentsService extends ErasedWithSessions {
  constructor(
    private readonly units: UnitsOfWork,
    sessions: SessionErasure,
  ) {
    super(sessions);
  }

  /** The fulfilments of sessions, by the id of the record. */
  async of(tenant: Tenant, sessionIds: string[]): Promise<(session: Decided) => FulfilmentDto> {
    const reader = this.units.reader(tenant);
    const jobs = await reader.find(Fulfilment, { flow_session_id: In(sessionIds) });
    const [connection] = jobs.length > 0 ? await reader.find(BillingConnection, {}) : [];
    const shown = new Map(jobs.map((job) => [job.flow_session_id, shownOf(job, connection)]));
    return ({ id, status_now }) => {
      const isDecided = status_now === 'saved' || status_now === 'canceled';
      return shown.get(id) ?? { ...NO_FULFILMENT, carried_out_by: isDecided ? 'nobody' : null };
    };
  }

  /** @param id of the record, or the session_id that a page was given */
  async change(tenant: Tenant, id: string, { action }: ChangeFulfilmentDto): Promise<FulfilmentDto> {
    const session = await this.units.run(tenant, async (work) => {
      const named = isSessionId(id) ? { session_id: id } : { id };
      const [session] = await work.find(FlowSession, named, { select: { id: true, status_now: true } });
      if (!session) throw new Problem('not_found');
      const lock = { mode: 'for_no_key_update' } as const;
      const [job] = await work.find(Fulfilment, { flow_session_id: session.id }, { lock });
      if (!job || job.state === 'pending' || job.state === 'applied') throw new Problem('nothing_to_fulfil');
      await (action === 'retry' ? this.retry(work, job) : this.finish(work, job));
      const done = action === 'retry' ? 'fulfilment.retried' : 'fulfilment.done';
      work.log({ action: done, subject: { type: 'fulfilment', id: session.id, name: 'A session' } });
      return session;
    });
    return (await this.of(tenant, [session.id]))(session);
  }

  /**
   * Forgets what jobs of erased sessions know of their customer, but for the subscription of those that are not done
   * yet.
   */
  async erase(work: Work, sessionIds: string[]): Promise<void> {
    await work.write(FORGET, { sessions: sessionIds });
  }

  private async retry(work: Work, { flow_session_id }: Fulfilment): Promise<void> {
    const [connection] = await work.find(BillingConnection, {});
    if (!connection) throw new Problem('nothing_to_fulfil', {}, 'There is no connection to a billing system.');
    await work.write(RESTART, { session: flow_session_id, mode: connection.mode });
  }

  private async finish(work: Work, { flow_session_id }: Fulfilment): Promise<void> {
    const done = { state: 'applied' as const, detail: 'Done by hand.', updated_at: now };
    await work.update(Fulfilment, { flow_session_id }, done);
    await this.erase(work, [flow_session_id]);
    await work.emit({ type: 'fulfilment.applied', flow_session_id });
  }
}

function shownOf(
  { state, carried_out_by, updated_at: at, effect, detail, subscription_id }: Fulfilment,
  connection: BillingConnection | undefined,
): FulfilmentDto {
  const url =
    subscription_id && connection ? PROVIDER_KINDS[connection.provider].urlOf(subscription_id, connection) : null;
  return { state, carried_out_by, at, effect, detail, url };
}
