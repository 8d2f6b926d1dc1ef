import type { ConditionGroup } from '../conditions/condition.dto';
import { conditionIn } from '../sessions/filter/session-filter';

/** The conditions of webhooks, by their ids. */
export type Conditions = Record<string, ConditionGroup>;

/** SQL for whether a webhook wants an event, and what it compares with. */
export interface Wanted {
  sql: string;
  /** `known` are the conditions, as JSON. */
  values: { where: string; known: string };
}

/** Without conditions, `webhook` wants any event. */
export const UNCONDITIONAL: Wanted = { sql: 'webhook."when" IS NULL', values: { where: '[]', known: '{}' } };

/** Whether the conditions of `webhook` hold of the session of `event`. They hold of no event without one. */
export function wantedBy(conditions: Conditions): Wanted {
  const values: unknown[] = [];
  const cases = Object.entries(conditions).map(([id, when]) => {
    const holds = conditionIn(when, { audiences: {}, session: 'subject', values });
    return `WHEN webhook.id = '${id}' THEN EXISTS (
      SELECT FROM flow_sessions AS subject
      WHERE subject.workspace_id = :workspace AND subject.id = event.flow_session_id AND ${holds}
    )`;
  });
  if (cases.length === 0) return UNCONDITIONAL;
  return {
    sql: `CASE WHEN webhook."when" IS NULL THEN true ${cases.join(' ')} ELSE false END`,
    values: { where: JSON.stringify(values), known: JSON.stringify(conditions) },
  };
}
