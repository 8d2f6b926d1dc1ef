import type { Answer } from '../src/types.ts';

type Changes = Answer<'config_apply'>;
type Named = { file: string }[];

/** A longer value is cut: `plan --json` has all of it. */
const MAX_SHOWN = 100;

export function isEmpty({ create, update, archive }: Changes, pictures: Named): boolean {
  return create.length + update.length + archive.length + pictures.length === 0;
}

/** A plan for people: a line for each thing, and below it one for each value that differs. */
export function describe(changes: Changes, pictures: Named, { isDone }: { isDone: boolean }): string {
  const { create, update, archive, unchanged } = changes;
  const lines = [
    ...pictures.map(({ file }) => `+ picture ${file}`),
    ...create.map(({ kind, key }) => `+ ${kind} ${key}`),
    ...update.flatMap((thing) => [`~ ${thing.kind} ${thing.key}: ${thing.fields.join(', ')}`, ...valuesOf(thing)]),
    ...archive.map(({ kind, key }) => `- ${kind} ${key}`),
  ];
  const count = create.length + update.length + archive.length + pictures.length;
  return `${[...lines, `${count} ${isDone ? 'changed' : 'to change'}, ${unchanged} unchanged.`].join('\n')}\n`;
}

function valuesOf({ changes }: Changes['update'][number]): string[] {
  return changes.map(({ pointer, old, new: next }) => `    ${pointer}: ${shown(old)} → ${shown(next)}`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
