/** In SQL: whether a webhook asks for events of a type. One that names no types asks for all but `session.started`. */
export const asksFor = (webhook: string, type: string): string =>
  `(${type} = ANY (${webhook}.event_types) OR (${webhook}.event_types = '{}' AND ${type} <> 'session.started'))`;
