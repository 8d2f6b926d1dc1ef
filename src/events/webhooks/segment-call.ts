import { version } from '../../../package.json';
import type { EventBody, SessionEventData } from '../event-body';

/** An event for a webhook. */
export interface Addressed {
  workspace_id: string;
  webhook_id: string;
  event_id: string;
  body: EventBody;
  /** The address of the service, if the operator has said it. */
  publicUrl?: string;
}

/** How Segment names events: an object, then what happened to it, in capitals. */
const nameOf = (type: string): string =>
  `Retention ${type.replaceAll(/[._]/g, ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`;

/**
 * An event as a "track" call of Segment's HTTP API. It is about the customer, if a backend has signed who that is:
 * anybody can name any customer on a page. Else it is about the session; else about the workspace. Segment takes a
 * `messageId` once, so what is sent again is not counted again; what two webhooks send are two calls.
 *
 * @see https://www.twilio.com/docs/segment/connections/sources/catalog/libraries/server/http-api
 */
export function segmentCallOf({ workspace_id, webhook_id, event_id, body }: Addressed): object {
  const { type, timestamp, data, test } = body;
  const { session } = data as Partial<SessionEventData>;
  const customer = session?.customer;
  return {
    type: 'track',
    event: nameOf(type),
    ...(customer?.verified ? { userId: customer.id } : { anonymousId: session?.id ?? workspace_id }),
    properties: { ...data, ...(test && { test }) },
    context: { library: { name: 'retention-flow-service', version } },
    messageId: `${event_id}.${webhook_id}`,
    timestamp,
  };
}
