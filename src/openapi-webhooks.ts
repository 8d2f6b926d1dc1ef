import { getSchemaPath } from '@nestjs/swagger';
import { ID } from './common/schemas';
import { EVENT_BODIES } from './delivery/dto/event-body.dto';
import { EVENT_TYPES, type EventType } from './events/event-types';

/** What the service sends to webhooks, by the type of event. */
export function documentWebhooks(): Record<string, object> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: requestOf(type) }]));
}

function requestOf(type: EventType): object {
  const { summary, description, data } = EVENTS[type];
  const example = { type, timestamp: type === 'session.started' ? SESSION.started_at : ENDED_AT, data };
  return {
    operationId: handlerOf(type),
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(EVENT_BODIES[type]) }, example } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '410': { description: 'Not delivered. The webhook is disabled.' },
      default: {
        description:
          'Not delivered. Redirects are not followed. It is tried again, up to ten times in about three days.',
      },
    },
  };
}

/** The name of a function that handles it: `onSessionStarted`. */
function handlerOf(type: EventType): string {
  return `on_${type}`.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface Documented {
  summary: string;
  description: string;
  /** An example of the data. */
  data: object;
}

/** The headers of Standard Webhooks 1.0. */
const HEADERS = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same in every attempt: an event may be sent more than once.',
    schema: ID,
    example: '019a9f3c-c8d9-7eaf-9b1c-2d3e4f5a6b70',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'The time of the attempt, in seconds since 1970. Refuse what is older than five minutes.',
    schema: { type: 'string', pattern: String.raw`^\d{1,12}$`, maxLength: 12 },
    example: '1795253461',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64. While a secret is replaced there are ' +
      'two, separated by a space. Accept the request if any of them is right.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$', maxLength: 95 },
    example: `v1,${'A'.repeat(43)}=`,
  },
];

const SESSION = {
  id: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f',
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_version: 1,
  started_at: '2026-11-21T09:30:00.000Z',
  customer: { id: 'cus_4711', email: 'ada@example.com', attributes: { plan: 'pro', seats: 12 }, verified: true },
};
const ENDED_AT = '2026-11-21T09:31:00.000Z';
const ANSWERS = [
  {
    node_key: 'reason',
    option: 'too_expensive',
    label: 'Too expensive',
    comment: 'Twice the price of last year.',
  },
];
const OFFER = {
  id: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b',
  name: '30 % off for three months',
  offer_type: 'discount_percentage',
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
  metadata: { stripe_coupon: 'stay-30' },
};
const LIMIT = {
  id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  session_limit: 1000,
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

const EVENTS: Record<EventType, Documented> = {
  'session.started': {
    summary: 'A session started',
    description: 'There are as many as sessions, so it is sent only to webhooks that name it.',
    data: { session: { ...SESSION, status: 'in_progress', ended_at: null }, answers: [], accepted_offer: null },
  },
  'session.saved': {
    summary: 'A customer stays',
    description: 'The customer accepted an offer, or kept the subscription without one.',
    data: {
      session: { ...SESSION, status: 'saved', ended_at: ENDED_AT },
      reason: 'offer_accepted',
      answers: ANSWERS,
      accepted_offer: OFFER,
    },
  },
  'session.canceled': {
    summary: 'A customer cancels',
    description: 'The customer confirmed, and was sent to the cancellation page.',
    data: { session: { ...SESSION, status: 'canceled', ended_at: ENDED_AT }, answers: ANSWERS, accepted_offer: null },
  },
  'session.abandoned': {
    summary: 'A session is abandoned',
    description:
      'There was no step for 24 hours. The customer can still go on: the session may be saved or canceled later.',
    data: { session: { ...SESSION, status: 'abandoned', ended_at: null }, answers: ANSWERS, accepted_offer: null },
  },
  'workspace.limit_approaching': {
    summary: 'The session limit is near',
    description: '80 % of the sessions of the month have started.',
    data: { workspace: { ...LIMIT, sessions_used: 800 } },
  },
  'workspace.limit_reached': {
    summary: 'The session limit is reached',
    description: 'No session starts until the month ends or the limit is raised.',
    data: { workspace: { ...LIMIT, sessions_used: 1000 } },
  },
  'flow.published': {
    summary: 'A flow is published',
    description: 'Sessions can start on it.',
    data: { flow: FLOW },
  },
  'flow.archived': {
    summary: 'A flow is archived',
    description: 'No session can start on it.',
    data: { flow: FLOW },
  },
  'customer.erased': {
    summary: 'A customer was erased',
    description: 'What identified the customer was erased from the sessions. It is not said who it was.',
    data: { sessions: [{ id: SESSION.id }] },
  },
  'webhook.disabled': {
    summary: 'The service disabled another webhook',
    description: 'It answered 410, or every attempt failed for five days.',
    data: {
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
    data: { webhook: { id: WEBHOOK_ID } },
  },
};
