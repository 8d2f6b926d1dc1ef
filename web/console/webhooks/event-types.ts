import type { Webhook } from '@retention-flow/client';

export type EventType = Webhook['event_types'][number];

/** What a webhook can be told of, and when. */
export const EVENT_TYPES: [type: EventType, when: string][] = [
  ['session.saved', 'A customer stayed.'],
  ['session.canceled', 'A customer went on to cancel.'],
  ['session.abandoned', 'A session did not end within 24 hours of its start.'],
  ['session.started', 'A session began. There are as many as sessions.'],
  ['fulfilment.applied', 'Billing carried out what a customer decided.'],
  ['fulfilment.failed', 'The billing system refused it.'],
  ['fulfilment.manual', 'A person has to do it.'],
  ['flow.published', 'A flow was published, or got a new version.'],
  ['flow.archived', 'A flow was archived.'],
  ['customer.erased', 'A customer was erased.'],
  ['workspace.limit_approaching', 'Sessions got to 80% of the limit.'],
  ['workspace.limit_reached', 'Sessions got to the limit. No further one starts.'],
  ['webhook.disabled', 'Another webhook was disabled because it failed.'],
];

/** What a webhook is told of, in a line. */
export function inWords(types: EventType[]): string {
  return types.length === 0 ? 'All but session.started' : types.join(', ');
}
