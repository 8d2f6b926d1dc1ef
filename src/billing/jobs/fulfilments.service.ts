import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isSessionId } from '../../sessions/session-ids';
import { Problem } from '../../platform/api/problems/problem';
import { type Page, type Position, readPage, readPageAt } from '../../platform/api/paging/pagination';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { now, readTime } from '../../platform/database/time';
import { FlowSession } from '../../sessions/flow-session.entity';
import { ErasedWithSessions, SessionErasure } from '../../sessions/session-erasure';
import { Fulfilment } from '../../billing-jobs/fulfilment.entity';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { BillingConnection } from '../../billing-jobs/billing-connection.entity';
import { type ChangeFulfilmentDto, type FulfilmentDto, NO_FULFILMENT } from '../dto/fulfilment.dto';
import {
  type CarriedOutDto,
  type CarryOutDto,
  type CarryOutQuery,
  type FulfilmentItemDto,
  type ListFulfilmentsQuery,
  MAX_CARRIED_OUT,
} from '../dto/fulfilments.dto';
import { COUNT, FORGET, LIST, LIST_ENDING, LOCK_OLDEST, RESTART } from './fulfilment-statements';
import { REGISTERED } from '../providers';

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
    private readonly limits: ManagementLimits,
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

  /** The decisions of customers for billing, newest session first; or the first to end first. */
  list(tenant: Tenant, query: ListFulfilmentsQuery): Promise<Page<FulfilmentItemDto>> {
    const { state = null, ending_before } = query;
    return this.limits.long.run(tenant.workspaceId, async () => {
      const reader = this.units.reader(tenant);
      const [connection] = await reader.find(BillingConnection, {});
      if (ending_before === undefined) {
        const read = (before: string, take: number) => reader.rows<Item>(LIST, { state, before, take });
        return shownPage(await readPage(query, (before, take) => identified(read(before, take))), connection);
      }
      const span = { state, now: (await readTime(reader.manager)).toISOString(), ending_before: isoOf(ending_before) };
      const read = ({ before, number }: Position, take: number) => {
        const from = number === undefined ? { after: '', id: FIRST_ID } : { after: isoOf(number), id: before };
        return identified(reader.rows<Item>(LIST_ENDING, { ...span, ...from, take }));
      };
      const positionOf = ({ id, effect }: Item & { id: string }) => ({
        before: id,
        number: Date.parse(effect!.until!),
      });
      return shownPage(await readPageAt(query, read, positionOf), connection);
    });
  }

  /** Lets the oldest decisions of the dry run be carried out, or says which. */
  carryOut(tenant: Tenant, { state }: CarryOutDto, { dry_run }: CarryOutQuery): Promise<CarriedOutDto> {
    return this.units.run(tenant, async (work) => {
      const [connection] = await work.find(BillingConnection, {});
      if (connection?.mode !== 'live') throw new Problem('billing_not_live');
      const jobs = await work.rows<Item>(LOCK_OLDEST, { state, take: MAX_CARRIED_OUT });
      const all = await work.row<{ count: number }>(COUNT, { state });
      const sessions = jobs.map(({ flow_session_id }) => flow_session_id);
      if (!dry_run && jobs.length > 0) {
        await work.write(RESTART, { sessions, mode: connection.mode });
        const subject = { type: 'billing' as const, id: null, name: 'Decisions of the dry run' };
        work.log({ action: 'fulfilments.carried_out', subject, details: { count: jobs.length } });
      }
      const items = jobs.map((job) => itemOf(job, connection));
      return { carried_out: jobs.length, left: all!.count - jobs.length, items };
    });
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
    await work.write(RESTART, { sessions: [flow_session_id], mode: connection.mode });
  }

  private async finish(work: Work, { flow_session_id, state }: Fulfilment): Promise<void> {
    // What a dry run has found is not what a person did, and when.
    const done = {
      state: 'applied' as const,
      detail: 'Done by hand.',
      ...(state === 'dry_run' && { effect: null, part_left: null }),
      updated_at: now,
    };
    await work.update(Fulfilment, { flow_session_id }, done);
    await this.erase(work, [flow_session_id]);
    await work.emit({ type: 'fulfilment.applied', flow_session_id });
  }
}

/** A job with the customer of its session. */
type Item = Fulfilment & Pick<FlowSession, 'customer_id'>;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const isoOf = (time: string | number): string => new Date(time).toISOString();

/** Rows with the id that pages go by. */
async function identified(rows: Promise<Item[]>): Promise<(Item & { id: string })[]> {
  return (await rows).map((row) => ({ ...row, id: row.flow_session_id }));
}

function shownPage({ items, ...page }: Page<Item>, connection: BillingConnection | undefined): Page<FulfilmentItemDto> {
  return { ...page, items: items.map((item) => itemOf(item, connection)) };
}

function itemOf(job: Item, connection: BillingConnection | undefined): FulfilmentItemDto {
  const { flow_session_id: session_id, customer_id, action } = job;
  return { session_id, customer_id, action, ...shownOf(job, connection) };
}

function shownOf(
  { state, carried_out_by, updated_at: at, effect, detail, subscription_id }: Fulfilment,
  connection: BillingConnection | undefined,
): FulfilmentDto {
  const url =
    subscription_id && connection ? REGISTERED[connection.provider].kind.urlOf(subscription_id, connection) : null;
  return { state, carried_out_by, at, effect, detail, url };
}
