import type { Shape } from '../../platform/api/fields/schemas';
import type { EventType, SessionEventType } from '../../outbox/event-types';
import { SAMPLE_SESSION, sampleSessionBody } from '../sample-session';
import {
  DeclarationDataDto,
  DisabledWebhookDataDto,
  EndingOfferDataDto,
  FulfilmentDataDto,
  ErasureDataDto,
  FlowDataDto,
  PublishedFlowDataDto,
  LimitDataDto,
  SavedSessionDataDto,
  SessionDataDto,
  TestDataDto,
} from './event-data.dto';

interface DocumentedEvent {
  description: string;
  data: Shape;
  /** Of the data. */
  example: object;
}

export const STARTED_AT = '2026-11-21T09:30:00.000Z';
export const ENDED_AT = '2026-11-21T09:31:00.000Z';

const sessionAt = (type: SessionEventType, time: string): object => sampleSessionBody(type, new Date(time)).data;
const LIMIT = {
  id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  session_limit: 1_000_000,
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
};
const FLOW = {
  id: SAMPLE_SESSION.flow_id,
  slug: 'leaving-acme-pro-x7k2m9qa',
  version: 1,
  name: 'Leaving Acme Pro',
  product_name: 'Acme Pro',
  metadata: { stripe_product: 'prod_pro' },
};
const DECLARATION = {
  id: '019a9f3c-d5e6-7f80-9a1b-2c3d4e5f6071',
  number: '7KQ4-M2XW-9TFA',
  flow_id: SAMPLE_SESSION.flow_id,
  flow_version: 1,
  kind: 'termination',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  contract: 'Customer 4711',
  termination: 'ordinary',
  reason: null,
  when: '2026-12-31',
  language: 'en',
  due_at: '2026-12-31T00:00:00.000Z',
  declared_at: ENDED_AT,
  confirmed_at: null,
  done_at: null,
  erased_at: null,
};
const WEBHOOK_ID = '019a9f3c-b7c8-7d9e-8f0a-1b2c3d4e5f60';

/** The events of the service, by type. */
export const EVENTS: Record<EventType, DocumentedEvent> = {
  'session.started': {
    description: 'There are as many as sessions, so it is sent only to webhooks that name it.',
    data: SessionDataDto,
    example: sessionAt('session.started', STARTED_AT),
  },
  'session.saved': {
    description: 'The customer accepted an offer, or kept the subscription without one.',
    data: SavedSessionDataDto,
    example: sessionAt('session.saved', ENDED_AT),
  },
  'session.canceled': {
    description: 'The customer confirmed, and was sent to the cancellation page.',
    data: SessionDataDto,
    example: sessionAt('session.canceled', ENDED_AT),
  },
  'session.contacted': {
    description:
      'The customer accepted an offer whose `outcome` is `open`, such as a call, and has decided nothing yet. `session.saved` follows once an outcome `kept` is reported.',
    data: SessionDataDto,
    example: sessionAt('session.contacted', ENDED_AT),
  },
  'session.abandoned': {
    description: 'The session did not end within 24 hours of its start. It takes no more steps.',
    data: SessionDataDto,
    example: sessionAt('session.abandoned', ENDED_AT),
  },
  'fulfilment.applied': {
    description: 'The accepted offer is applied, or the subscription canceled, by the service or by hand.',
    data: FulfilmentDataDto,
    example: sessionAt('fulfilment.applied', ENDED_AT),
  },
  'fulfilment.failed': {
    description: 'The accepted offer is not applied, or the subscription not canceled. A person has to look.',
    data: FulfilmentDataDto,
    example: sessionAt('fulfilment.failed', ENDED_AT),
  },
  'fulfilment.manual': {
    description: 'The service does not do it in the billing system, and says why.',
    data: FulfilmentDataDto,
    example: sessionAt('fulfilment.manual', ENDED_AT),
  },
  'offer.ending': {
    description:
      'A discount, pause or extension that was applied ends in some days: `ending_notice_days` of the workspace. Once each, unless the ' +
      'subscription was canceled since.',
    data: EndingOfferDataDto,
    example: sessionAt('offer.ending', ENDED_AT),
  },
  'workspace.limit_approaching': {
    description: '80 % of the sessions of the month have started.',
    data: LimitDataDto,
    example: { workspace: { ...LIMIT, sessions_used: 800_000 } },
  },
  'workspace.limit_reached': {
    description: 'No session starts until the month ends or the limit is raised.',
    data: LimitDataDto,
    example: { workspace: { ...LIMIT, sessions_used: 1_000_000 } },
  },
  'flow.published': {
    description: 'Sessions can start on it, or start on a new version.',
    data: PublishedFlowDataDto,
    example: { flow: { ...FLOW, note: 'Half price for 3 months instead of 2.' } },
  },
  'flow.archived': {
    description: 'No session can start on it.',
    data: FlowDataDto,
    example: { flow: FLOW },
  },
  'cancellation.declared': {
    description:
      'On the exit page of a flow, or one of yours. Anybody can fill in the page: check who it is before you act on it.',
    data: DeclarationDataDto,
    example: { declaration: DECLARATION },
  },
  'customer.erased': {
    description: 'What identified the customer was erased from the sessions. The event does not say who it was.',
    data: ErasureDataDto,
    example: { sessions: [{ id: SAMPLE_SESSION.id }] },
  },
  'webhook.disabled': {
    description: 'It answered 410, or every attempt failed for five days.',
    data: DisabledWebhookDataDto,
    example: {
      webhook: {
        id: WEBHOOK_ID,
        description: 'Tells our billing system who stays.',
        reason: 'It answered 410 Gone.',
      },
    },
  },
  test: {
    description: 'Sent when you ask for it.',
    data: TestDataDto,
    example: { webhook: { id: WEBHOOK_ID } },
  },
};
