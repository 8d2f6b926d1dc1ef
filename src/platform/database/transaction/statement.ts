import type { QueryConfig } from 'pg';

/** SQL with named values, such as `:status`. */
export interface Statement {
  /** With `$1` and so on in place of the names. */
  readonly text: string;
  /** The names, in the order of their numbers. */
  readonly parameters: readonly string[];
  /** Postgres prepares it under this name, outside of transactions (`ConnectionPool`) and where `Pipeline` sends it. */
  readonly name?: string;
}

/** A cast (`::int`) is not a name. */
const NAMED_VALUE = /(?<!:):([a-z_]+)\b/g;

export function statement(sql: string): Statement {
  const parameters: string[] = [];
  const text = sql.replaceAll(NAMED_VALUE, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { text, parameters };
}

/**
 * A statement that is sent often, and has one best plan for all values. Its name is its own: `pg` refuses two texts
 * with one name.
 */
export const prepared = (name: string, sql: string): Statement => ({ ...statement(sql), name });

/** The values of a statement in their order. Throws without one of them. */
export function valuesOf({ text, parameters }: Statement, values: Record<string, unknown>): unknown[] {
  return parameters.map((parameter) => {
    if (values[parameter] === undefined) throw new Error(`There is no :${parameter} for: ${text}`);
    return values[parameter];
  });
}

/** A statement of a workspace with its values, as `pg` takes it. It has to name the `:workspace`. */
export function bound(
  statement: Statement,
  workspace: string,
  values: Record<string, unknown> = {},
): QueryConfig & { values: unknown[] } {
  const { name, text, parameters } = statement;
  if (!parameters.includes('workspace')) throw new Error(`There is no :workspace in: ${text}`);
  return { name, text, values: valuesOf(statement, { ...values, workspace }) };
}
