import type { Answer } from '../src/types.ts';

type Changes = Answer<'config_apply'>;

export function isEmpty({ create, update, archive }: Changes): boolean {
  return create.length + update.length + archive.length === 0;
}

/** A plan for people, a line for each thing. */
export function describe(changes: Changes, { isDone }: { isDone: boolean }): string {
  const { create, update, archive, unchanged } = changes;
  const lines = [
    ...create.map(({ kind, key }) => `+ ${kind} ${key}`),
    ...update.map(({ kind, key, fields }) => `~ ${kind} ${key}: ${fields.join(', ')}`),
    ...archive.map(({ kind, key }) => `- ${kind} ${key}`),
    `${create.length + update.length + archive.length} ${isDone ? 'changed' : 'to change'}, ${unchanged} unchanged.`,
  ];
  return `${lines.join('\n')}\n`;
}
