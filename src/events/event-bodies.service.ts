import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { NO_FULFILMENT } from '../billing/dto/fulfilment.dto';
import { FulfilmentsService } from '../billing/jobs/fulfilments.service';
import { Cache } from '../platform/common/cache';
import { groupBy } from '../platform/common/group-by';
import { Event } from './event.entity';
import { type EventData, type FlowData, isOfSession, type LimitData, type OtherEventType } from '../outbox/event-types';
import { Declaration } from '../exit/declaration.entity';
import { DeclarationDto } from '../exit/dto/declaration.dto';
import { FlowLookup } from '../flows/lookup/flow-lookup.service';
import { Flow } from '../flows/flow.entity';
import { FlowSession } from '../sessions/flow-session.entity';
import type { ToldPreview } from '../runtime/preview/preview.entity';
import { SessionStep } from '../sessions/session-step.entity';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Reader } from '../tenancy/work/work';
import { endOf } from '../workspaces/counters/usage';
import { isTest } from '../workspaces/is-test';
import { unknownValue } from '../platform/text/unknown-value';
import { EVENTS } from './dto/event-body.dto';
import { bodyOf, type EventBody, type Happened, sessionBodyOf, type SessionRows, toldBodyOf } from './event-body';
import { sampleSessionBody } from './sample-session';

type HappenedEvent = Event & Happened;

/** Makes the bodies of events from the rows that they are about. */
@Injectable()
export class EventBodies {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly lookup: FlowLookup,
    private readonly fulfilments: FulfilmentsService,
    private readonly cache: Cache,
  ) {}

  /** The bodies of events, in their order. Undefined for an event whose session or declaration is gone. */
  async of(tenant: Tenant, events: Event[]): Promise<(EventBody | undefined)[]> {
    const reader = this.units.reader(tenant);
    const livemode = await this.livemodeOf(reader);
    if (livemode) return this.bodiesOf(reader, events, livemode);
    // The time of a test workspace may pass meanwhile, which gives its sessions other ids.
    return this.units.snapshot(tenant, async (reader) => {
      const stored = await reader.find(Event, { id: In(events.map(({ id }) => id)) });
      const byId = new Map(stored.map((event) => [event.id, event]));
      const now = events.map((event) => byId.get(event.id) ?? event);
      return this.bodiesOf(reader, now, livemode);
    });
  }

  private async bodiesOf(reader: Reader, events: Event[], livemode: boolean): Promise<(EventBody | undefined)[]> {
    const bodyOfSession = await this.sessionBodies(reader, events);
    return Promise.all(
      events.map(async (stored) => {
        const event = { ...stored, livemode };
        const { type } = event;
        if (type === 'test') return testBodyOf(event);
        if (isOfSession(type)) return bodyOfSession(event);
        const data = await this.dataOf(reader, type, event.data);
        return data && bodyOf(event, data);
      }),
    );
  }

  private async livemodeOf(reader: Reader): Promise<boolean> {
    const known = await this.cache.getOrRead('kind of workspace', reader.workspaceId, async () => {
      return { test: await isTest(reader) };
    });
    return !known!.test;
  }

  private async sessionBodies(
    reader: Reader,
    events: Event[],
  ): Promise<(event: HappenedEvent) => EventBody | undefined> {
    const ids = [...new Set(events.flatMap(({ flow_session_id }) => flow_session_id ?? []))];
    if (ids.length === 0) return () => undefined;
    const [sessions, steps, fulfilmentOf] = await Promise.all([
      reader.find(FlowSession, { id: In(ids) }),
      reader.find(SessionStep, { flow_session_id: In(ids) }, { order: { position: 'ASC' } }),
      this.fulfilments.of(reader, ids),
    ]);
    const stepsOf = groupBy(steps, ({ flow_session_id }) => flow_session_id);
    const rows = new Map<string, SessionRows>();
    // One after another: most sessions share a version, which is remembered once it is read.
    for (const session of sessions) {
      const { id } = session;
      const version = await this.lookup.version(session);
      rows.set(id, { session, version, steps: stepsOf.get(id) ?? [], fulfilment: fulfilmentOf(session) });
    }
    return (event) => {
      const found = rows.get(event.flow_session_id!);
      return found && sessionBodyOf(event, found);
    };
  }

  private async dataOf(reader: Reader, type: OtherEventType, data: Event['data']): Promise<object | undefined> {
    switch (type) {
      case 'flow.published': {
        const { note, ...flow } = data as EventData['flow.published'];
        return { flow: { ...(await this.flowOf(reader, flow)), note } };
      }
      case 'flow.archived':
        return { flow: await this.flowOf(reader, data as FlowData) };
      case 'workspace.limit_approaching':
      case 'workspace.limit_reached':
        return { workspace: limitOf(reader.workspaceId, data as LimitData) };
      case 'cancellation.declared': {
        const { declaration_id: id } = data as EventData['cancellation.declared'];
        const [declaration] = await reader.find(Declaration, { id });
        return declaration ? { declaration: DeclarationDto.of(declaration) } : undefined;
      }
      case 'customer.erased':
        return { sessions: (data as EventData['customer.erased']).flow_session_ids.map((id) => ({ id })) };
      case 'webhook.disabled': {
        const { webhook_id, description, reason } = data as EventData['webhook.disabled'];
        return { webhook: { id: webhook_id, description, reason } };
      }
      default:
        return unknownValue(type);
    }
  }

  private async flowOf(reader: Reader, { flow_id: id, version }: FlowData): Promise<object> {
    const { workspace_id, slug, metadata } = await reader.get(Flow, id);
    const { name, product_name } = await this.lookup.version({ workspace_id, flow_id: id, flow_version: version });
    return { id, slug, version, name, product_name, metadata };
  }
}

/** The body of a test. For a sample or a preview, it looks like a real event of that type at that moment. */
function testBodyOf({ type, created_at, livemode, data }: HappenedEvent): EventBody {
  const test = data as EventData['test'];
  if ('previewed' in test) return { ...previewBodyOf(test as ToldPreview, { created_at, livemode }), test: true };
  const { webhook_id, sample } = test;
  if (sample === undefined) return bodyOf({ type, created_at, livemode }, { webhook: { id: webhook_id } });
  const body = isOfSession(sample)
    ? sampleSessionBody(sample, created_at, livemode)
    : bodyOf({ type: sample, created_at, livemode }, EVENTS[sample].example);
  return { ...body, test: true };
}

function previewBodyOf(
  { previewed: type, session, answers }: ToldPreview,
  happened: Omit<Happened, 'type'>,
): EventBody {
  const { started_at, flow_name, ...told } = session;
  const nobody = {
    source: null,
    customer_id: null,
    customer: null,
    customer_verified: false,
    subscription_id: null,
    billing_customer_id: null,
    facts: null,
  };
  return toldBodyOf(
    { type, ...happened },
    {
      session: { ...told, ...nobody, created_at: new Date(started_at), updated_at: happened.created_at },
      flow_name,
      // An older version of the service recorded the customer's words alone.
      answers: answers.map((one) => ({ ...one, own_label: one.own_label ?? one.label })),
      // Like comments, they are not kept of a preview.
      results: {},
      fulfilment: NO_FULFILMENT,
    },
  );
}

function limitOf(id: string, { session_limit, sessions_used, period_start }: LimitData): object {
  return { id, session_limit, sessions_used, period_start, period_end: endOf(new Date(period_start)) };
}
