import { NOW } from '../../platform/database/time';
import type { Wanted } from '../conditions';
import type { TransportName } from './delivery.entity';

/**
 * SQL that is true if a webhook asks for events of a type. One that names no types asks for all but `session.started`.
 */
export const asksFor = (webhook: string, type: string): string =>
  `(${type} = ANY (${webhook}.event_types) OR (${webhook}.event_types = '{}' AND ${type} <> 'session.started'))`;

/**
 * SQL that is true if `event` is for `webhook`. `test` is for the webhook that it names, and a preview's for those
 * that ask for tests of its type. `webhook.disabled` is for the other webhooks that ask for it.
 *
 * @param wanted whether the conditions of the webhook hold
 */
export const isFor = (wanted: Wanted['sql']): string => {
  const namesIt = `event.data ->> 'webhook_id' = webhook.id::text`;
  return `CASE WHEN event.type = 'test'
        THEN ${namesIt} OR (webhook.test_events AND webhook."when" IS NULL AND ${asksFor('webhook', `(event.data ->> 'previewed')`)})
      WHEN event.type = 'webhook.disabled' THEN ${asksFor('webhook', 'event.type')} AND NOT ${namesIt} AND ${wanted}
      ELSE ${asksFor('webhook', 'event.type')} AND ${wanted} END`;
};

// Statements that insert deliveries lock the event and the webhook (FOR KEY SHARE), so that neither is deleted at the
// same moment.
export const DELIVERY_COLUMNS = `workspace_id, event_id, recipient_id, transport, flow_session_id, status, attempts, next_attempt_at, created_at,
  updated_at`;

/** SQL for the values of a new delivery, which is due now. */
export const due = (event: string, recipient: string, transport: TransportName, time = NOW): string =>
  `${event}.workspace_id, ${event}.id, ${recipient}.id, '${transport}', ${event}.flow_session_id, 'pending', 0, ${time},
  ${NOW}, ${NOW}`;

/** SQL for the time at which a test is due, so that it comes before everything else. */
export const DUE_FIRST = 'to_timestamp(0)';
