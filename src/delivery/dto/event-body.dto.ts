import type { Shape } from '../../common/schemas';
import type { EventType } from '../../events/event-types';
import {
  DisabledWebhookDataDto,
  ErasureDataDto,
  FlowDataDto,
  PublishedFlowDataDto,
  LimitDataDto,
  SavedSessionDataDto,
  SessionDataDto,
  TestDataDto,
} from './event-data.dto';

interface DocumentedEvent {
  summary: string;
  description: string;
  data: Shape;
  /** Of the data. */
  example: object;
}

export const STARTED_AT = '2026-11-21T09:30:00.000Z';
export const ENDED_AT = '2026-11-21T09:31:00.000Z';

const SESSION = {
  id: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f',
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_version: 1,
  started_at: STARTED_AT,
  customer: { id: 'cus_4711', email: 'ada@example.com', attributes: { plan: 'pro', seats: 12 }, verified: true },
};
const ANSWER = { node_key: 'reason', option: 'too_expensive', label: 'Too expensive', comment: 'Twice the price.' };
const OFFER = {
  id: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b',
  name: '30 % off for three months',
  offer_type: 'discount_percentage',
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
  accept_url: null,
  metadata: { stripe_coupon: 'stay-30' },
};
const LIMIT = {
  id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  session_limit: 1_000_000,
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
};
const FLOW = {
  id: SESSION.flow_id,
  slug: 'leaving-acme-pro-x7k2m9qa',
  version: 1,
  name: 'Leaving Acme Pro',
  product_name: 'Acme Pro',
  metadata: { stripe_product: 'prod_pro' },
};
const WEBHOOK_ID = '019a9f3c-b7c8-7d9e-8f0a-1b2c3d4e5f60';

/** What the service tells of, by the type of event. */
export const EVENTS: Record<EventType, DocumentedEvent> = {
  'session.started': {
    summary: 'A session started',
    description: 'There are as many as sessions, so it is sent only to webhooks that name it.',
    data: SessionDataDto,
    example: { session: { ...SESSION, status: 'in_progress', ended_at: null }, answers: [], accepted_offer: null },
  },
  'session.saved': {
    summary: 'A customer stays',
    description: 'The customer accepted an offer, or kept the subscription without one.',
    data: SavedSessionDataDto,
    example: {
      session: { ...SESSION, status: 'saved', ended_at: ENDED_AT },
      reason: 'offer_accepted',
      answers: [ANSWER],
      accepted_offer: OFFER,
    },
  },
  'session.canceled': {
    summary: 'A customer cancels',
    description: 'The customer confirmed, and was sent to the cancellation page.',
    data: SessionDataDto,
    example: {
      session: { ...SESSION, status: 'canceled', ended_at: ENDED_AT },
      answers: [ANSWER],
      accepted_offer: null,
    },
  },
  'session.abandoned': {
    summary: 'A session is abandoned',
    description: 'The session did not end within 24 hours of its start. It takes no more steps.',
    data: SessionDataDto,
    example: { session: { ...SESSION, status: 'abandoned', ended_at: null }, answers: [ANSWER], accepted_offer: null },
  },
  'workspace.limit_approaching': {
    summary: 'The session limit is near',
    description: '80 % of the sessions of the month have started.',
    data: LimitDataDto,
    example: { workspace: { ...LIMIT, sessions_used: 800_000 } },
  },
  'workspace.limit_reached': {
    summary: 'The session limit is reached',
    description: 'No session starts until the month ends or the limit is raised.',
    data: LimitDataDto,
    example: { workspace: { ...LIMIT, sessions_used: 1_000_000 } },
  },
  'flow.published': {
    summary: 'A flow is published',
    description: 'Sessions can start on it, or start on a new version.',
    data: PublishedFlowDataDto,
    example: { flow: { ...FLOW, note: 'Half price for 3 months instead of 2.' } },
  },
  'flow.archived': {
    summary: 'A flow is archived',
    description: 'No session can start on it.',
    data: FlowDataDto,
    example: { flow: FLOW },
  },
  'customer.erased': {
    summary: 'A customer was erased',
    description: 'What identified the customer was erased from the sessions. The event does not say who it was.',
    data: ErasureDataDto,
    example: { sessions: [{ id: SESSION.id }] },
  },
  'webhook.disabled': {
    summary: 'The service disabled another webhook',
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
    summary: 'A test',
    description: 'Sent when you ask for it.',
    data: TestDataDto,
    example: { webhook: { id: WEBHOOK_ID } },
  },
};
