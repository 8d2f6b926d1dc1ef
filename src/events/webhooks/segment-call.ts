import { version } from '../../../package.json';
import type { EventBody, SessionEventData } from '../event-body';

/** An event for a webhook. */
export interface Addressed {
  workspace_id: string;
  event_id: string;
  body: EventBody;
}

/** How Segment names events: an object, then what happened to it, in capitals. */
const nameOf = (type: string): string =>
  `Retention ${type.replaceAll(/[._]/g, ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`;

/**
 * An event as a "track" call of Segment's HTTP API. It is about the customer; else about the session; else about the workspace. Segment
 * takes a `messageId` once, so what is sent again is not counted again.
 *
 * @see https://www.twilio.com/docs/segment/connections/sources/catalog/libraries/server/http-api
 */
export function segmentCallOf({ workspace_id, event_id, body: { type, timestamp, data, test } }: Addressed): object {
  const { session } = data as Partial<SessionEventData>;
  return {
    type: 'track',
    event: nameOf(type),
    ...(session?.customer ? { userId: session.customer.id } : { anonymousId: session?.id ?? workspace_id }),
    properties: { ...data, ...(test && { test }) },
    context: { library: { name: 'retention-flow-service', version } },
    messageId: event_id,
    timestamp,
  };
}
