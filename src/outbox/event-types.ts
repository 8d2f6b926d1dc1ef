/**
 * The events whose data is a session, each with what it says. The console uses this file, too, so it imports nothing.
 */
const SESSION_EVENTS = {
  'session.started': 'A session started: there are as many as sessions',
  'session.saved': 'A customer stays',
  'session.canceled': 'A customer goes on to cancel',
  'session.contacted': 'A customer accepts an offer that is no save, such as a call',
  'session.abandoned': 'A session did not end within 24 hours of its start',
  'fulfilment.applied': 'Billing carried out what a customer decided',
  'fulfilment.failed': 'Billing refused what a customer decided',
  'fulfilment.manual': 'A person has to carry out what a customer decided',
  'offer.ending': 'A discount, pause or extension that a customer accepted ends soon',
};

/** The other events. `EventData` has the data of each. */
const OTHER_EVENTS = {
  'workspace.limit_approaching': '80 % of the session limit are used',
  'workspace.limit_reached': 'The session limit is reached, and no further session starts',
  'flow.published': 'A flow is published, or has a new version',
  'flow.archived': 'A flow is archived',
  'cancellation.declared': 'A customer declares that a contract ends',
  'customer.erased': 'A customer was erased',
  'webhook.disabled': 'Another webhook was disabled, because it failed',
} satisfies Record<Exclude<keyof EventData, 'test'>, string>;

/** `test` is sent on request only. */
export const EVENT_SUMMARIES = { ...SESSION_EVENTS, ...OTHER_EVENTS, test: 'A test' };

export type SessionEventType = keyof typeof SESSION_EVENTS;
export type OtherEventType = keyof typeof OTHER_EVENTS;
export type SubscribableType = SessionEventType | OtherEventType;
export type EventType = keyof typeof EVENT_SUMMARIES;

export const SUBSCRIBABLE_TYPES = Object.keys({ ...SESSION_EVENTS, ...OTHER_EVENTS }) as SubscribableType[];
export const EVENT_TYPES = Object.keys(EVENT_SUMMARIES) as EventType[];

export const isOfSession = (type: EventType): type is SessionEventType => type in SESSION_EVENTS;

/**
 * The data of events that are not about a session, whose rows are read when the event is sent. It outlives the erasure
 * of customers.
 */
export interface EventData {
  'workspace.limit_approaching': LimitData;
  'workspace.limit_reached': LimitData;
  'flow.published': FlowData & { note: string | null };
  'flow.archived': FlowData;
  'cancellation.declared': { declaration_id: string };
  'customer.erased': { flow_session_ids: string[] };
  'webhook.disabled': { webhook_id: string; description: string; reason: string };
  /** A test for one webhook, with its type if it is a sample of an event; or an event of a preview. */
  test: { webhook_id: string; sample?: SubscribableType } | PreviewData;
}

/**
 * The most sessions that one `customer.erased` names, so that what is sent stays below 20 kB. Erasing more makes
 * several events.
 */
export const MAX_ERASED = 400;

export interface LimitData {
  session_limit: number;
  sessions_used: number;
  /** The first instant of the month (RFC 3339). */
  period_start: string;
}

export interface FlowData {
  flow_id: string;
  /** The current version at that moment. */
  version: number;
}

/** The data of a preview, without comments. A preview is in no table of sessions, so nothing else is known of it. */
export interface PreviewData {
  /** The type of event that a session would have at this moment. */
  previewed: Extract<SessionEventType, 'session.started' | 'session.saved' | 'session.canceled' | 'session.contacted'>;
  session: object;
  answers: object[];
}

/** An event that is about to be recorded. */
export type NewEvent =
  | { type: SessionEventType; flow_session_id: string }
  | { type: 'test'; flow_session_id: string; data: PreviewData }
  | { [Type in keyof EventData]: { type: Type; data: EventData[Type] } }[keyof EventData];
