/** What begins sessions that are no customers': the demo page. */
export const SESSION_SOURCES = ['demo'] as const;
export type SessionSource = (typeof SESSION_SOURCES)[number];

/** What the field says, wherever a session is shown. */
export const SOURCE =
  '`demo`: somebody tried the flow on the demo page of the service, so it is in no number. null: a customer began it.';

/** SQL that is true for a row of `flow_sessions` that a customer began. Unless all are asked for, only these count. */
export const IS_CUSTOMERS = 'flow_sessions.source IS NULL';
