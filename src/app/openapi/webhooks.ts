import { getSchemaPath } from '@nestjs/swagger';
import { ID, TIMESTAMP } from '../../platform/api/fields/schemas';
import { ENDED_AT, EVENTS, STARTED_AT } from '../../events/dto/event-body.dto';
import { EVENT_SUMMARIES, EVENT_TYPES, type EventType } from '../../outbox/event-types';

/** `session.started` → `SessionStarted`. */
function nameOf(type: EventType): string {
  return `.${type}`.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The body of a type of event (Standard Webhooks 1.0) in the OpenAPI document. */
function bodySchema(type: EventType): string {
  return `#/components/schemas/${nameOf(type)}Event`;
}

const LIVEMODE = { type: 'boolean', description: 'false in a test workspace: no customer did anything.' };

/** The schemas of the bodies, which differ in nothing but `type` and `data`; that of a test is no sample. */
export function eventSchemas(): Record<string, object> {
  const timestamp = { ...TIMESTAMP, description: 'When it happened, however late it is sent.' };
  const ofSample = {
    test: {
      type: 'boolean',
      enum: [true],
      description: 'A sample that you asked for, or of a preview: nothing of it happened.',
    },
  };
  const bodies = EVENT_TYPES.map((type) => {
    const data = { $ref: getSchemaPath(EVENTS[type].data) };
    const properties = { timestamp, type: { type: 'string', enum: [type] }, livemode: LIVEMODE, data };
    const required = Object.keys(properties);
    const all = { ...properties, ...(type !== 'test' && ofSample) };
    return [`${nameOf(type)}Event`, { type: 'object', properties: all, required }];
  });
  const EventBody = {
    description: 'What is sent of an event, by its `type`.',
    oneOf: EVENT_TYPES.map((type) => ({ $ref: bodySchema(type) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, bodySchema(type)])),
    },
  };
  return { ...Object.fromEntries(bodies), EventBody };
}

/** The requests that webhooks receive, by type of event. */
export function documentWebhooks(): Record<string, object> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: requestOf(type) }]));
}

function requestOf(type: EventType): object {
  const { description, example: data } = EVENTS[type];
  const example = { type, livemode: true, timestamp: type === 'session.started' ? STARTED_AT : ENDED_AT, data };
  return {
    operationId: `on${nameOf(type)}`,
    tags: ['Webhooks'],
    summary: EVENT_SUMMARIES[type],
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: bodySchema(type) }, example } },
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
