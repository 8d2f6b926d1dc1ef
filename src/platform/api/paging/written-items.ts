/** The JSON of each item, by the list of a page. */
const WRITTEN = new WeakMap<object, string[]>();

/** Keeps the JSON of items, which was written to count the bytes of a page. */
export function keepWritten(items: object[], json: string[]): void {
  WRITTEN.set(items, json);
}

/**
 * The JSON of a response. Items of a page that are shown as they were read are not written a second time; beside them,
 * a page has at least its cursor.
 */
export function writeJson(response: unknown): string {
  const fields = (response ?? {}) as Record<string, object>;
  const name = Object.keys(fields).find((name) => WRITTEN.has(fields[name]));
  if (name === undefined) return JSON.stringify(response);
  const { [name]: items, ...others } = fields;
  const list = `${JSON.stringify(name)}:[${WRITTEN.get(items)!.join()}]`;
  return `{${list},${JSON.stringify(others).slice(1)}`;
}
