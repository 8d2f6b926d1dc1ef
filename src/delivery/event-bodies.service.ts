import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { groupBy } from '../common/group-by';
import type { Event } from '../events/event.entity';
import type { EventData, FlowData, LimitData } from '../events/event-types';
import { FlowLookup } from '../flows/flow-lookup.service';
import { Flow } from '../flows/flow.entity';
import { FlowSession } from '../runtime/flow-session.entity';
import { SessionStep } from '../runtime/session-step.entity';
import { endOf } from '../workspaces/usage';
import { bodyOf, type EventBody, sessionBodyOf, type SessionRows } from './event-body';

/** What is sent of events, made of the rows that they tell of. */
@Injectable()
export class EventBodies {
  constructor(
    private readonly manager: EntityManager,
    private readonly lookup: FlowLookup,
  ) {}

  /** The bodies of events, in their order. Undefined for an event whose session is gone. */
  async of(workspaceId: string, events: Event[]): Promise<(EventBody | undefined)[]> {
    const bodyOfSession = await this.sessionBodies(workspaceId, events);
    return Promise.all(
      events.map(async (event) => {
        if (event.flow_session_id !== null) return bodyOfSession(event);
        return bodyOf(event, await this.dataOf(workspaceId, event));
      }),
    );
  }

  private async sessionBodies(workspaceId: string, events: Event[]): Promise<(event: Event) => EventBody | undefined> {
    const ids = [...new Set(events.flatMap(({ flow_session_id }) => flow_session_id ?? []))];
    if (ids.length === 0) return () => undefined;
    const [sessions, steps] = await Promise.all([
      this.manager.findBy(FlowSession, { workspace_id: workspaceId, id: In(ids) }),
      this.manager.find(SessionStep, {
        where: { workspace_id: workspaceId, flow_session_id: In(ids) },
        order: { position: 'ASC' },
      }),
    ]);
    const stepsOf = groupBy(steps, ({ flow_session_id }) => flow_session_id);
    const rows = new Map<string, SessionRows>();
    // One after another: most sessions share a version, which is remembered once it is read.
    for (const session of sessions) {
      const { id, flow_id, flow_version } = session;
      const version = await this.lookup.version(workspaceId, flow_id, flow_version, this.manager);
      rows.set(id, { session, version, steps: stepsOf.get(id) ?? [] });
    }
    return (event) => {
      const found = rows.get(event.flow_session_id!);
      return found && sessionBodyOf(event, found);
    };
  }

  private async dataOf(workspaceId: string, { type, data }: Event): Promise<object> {
    switch (type) {
      case 'flow.published': {
        const { note, ...flow } = data as EventData['flow.published'];
        return { flow: { ...(await this.flowOf(workspaceId, flow)), note } };
      }
      case 'flow.archived':
        return { flow: await this.flowOf(workspaceId, data as FlowData) };
      case 'workspace.limit_approaching':
      case 'workspace.limit_reached':
        return { workspace: limitOf(workspaceId, data as LimitData) };
      case 'customer.erased':
        return { sessions: (data as EventData['customer.erased']).flow_session_ids.map((id) => ({ id })) };
      case 'webhook.disabled': {
        const { webhook_id, description, reason } = data as EventData['webhook.disabled'];
        return { webhook: { id: webhook_id, description, reason } };
      }
      default:
        return { webhook: { id: (data as EventData['test']).webhook_id } };
    }
  }

  private async flowOf(workspaceId: string, { flow_id: id, version }: FlowData): Promise<object> {
    const { slug, metadata } = await this.manager.findOneByOrFail(Flow, { workspace_id: workspaceId, id });
    const { name, product_name } = await this.lookup.version(workspaceId, id, version, this.manager);
    return { id, slug, version, name, product_name, metadata };
  }
}

function limitOf(id: string, { session_limit, sessions_used, period_start }: LimitData): object {
  return { id, session_limit, sessions_used, period_start, period_end: endOf(new Date(period_start)) };
}
