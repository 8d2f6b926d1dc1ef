/** SQL with named values, such as `:status`. */
export interface Statement {
  /** Postgres prepares it under this name, once for each connection. */
  readonly name: string;
  /** With `$1` and so on in place of the names. */
  readonly text: string;
  /** The names, in the order of their numbers. */
  readonly parameters: readonly string[];
}

/** A cast (`::int`) is no name. */
const NAMED_VALUE = /(?<!:):([a-z_]+)\b/g;

const names = new Set<string>();

/** Throws if another statement has the name: Postgres would run that one. */
export function statement(name: string, sql: string): Statement {
  if (names.has(name)) throw new Error(`There are two statements "${name}"`);
  names.add(name);
  const parameters: string[] = [];
  const text = sql.replaceAll(NAMED_VALUE, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text, parameters };
}

/** The values of a statement in their order. Throws without one of them. */
export function valuesOf({ name, parameters }: Statement, values: Record<string, unknown>): unknown[] {
  return parameters.map((parameter) => {
    if (values[parameter] === undefined) throw new Error(`The statement "${name}" lacks :${parameter}`);
    return values[parameter];
  });
}
