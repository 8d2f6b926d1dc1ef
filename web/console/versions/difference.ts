/** What is different at one thing, such as a step of a flow. */
export interface Difference {
  /** Such as: Survey “Why are you leaving?” */
  title: string;
  is: 'added' | 'removed' | 'changed';
  rows: { what: string; before: string; after: string }[];
}

/** What is said of a thing, line by line. */
export type Lines = Map<string, string>;

/** The lines that differ, each once. */
export function rowsOf(before: Lines, after: Lines): Difference['rows'] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((what) => ({ what, before: before.get(what) ?? '', after: after.get(what) ?? '' }))
    .filter((row) => row.before !== row.after);
}
