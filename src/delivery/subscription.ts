/** In SQL: whether a webhook asks for events of a type. One that names no types asks for all but `session.started`. */
export const asksFor = (webhook: string, type: string): string =>
  `(${type} = ANY (${webhook}.event_types) OR (${webhook}.event_types = '{}' AND ${type} <> 'session.started'))`;

/**
 * In SQL: whether an event is for a webhook. Two types name a webhook: `test` is for that one, `webhook.disabled` for those
 * of the others that ask for it.
 */
export const isFor = (webhook: string, event: string): string => {
  const namesIt = `${event}.data ->> 'webhook_id' = ${webhook}.id::text`;
  return `CASE WHEN ${event}.type = 'test' THEN ${namesIt}
      WHEN ${event}.type = 'webhook.disabled' THEN ${asksFor(webhook, `${event}.type`)} AND NOT ${namesIt}
      ELSE ${asksFor(webhook, `${event}.type`)} END`;
};
