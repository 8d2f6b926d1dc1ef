import { names } from '@retention-flow/definition-schema';

/** The longest line that an object or a list is written into. */
const WIDTH = 88;
/**
 * Readable JSON: short values on one line, names in the order of the document, and what it does not have behind them.
 */
export function pretty(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = (inner: string) =>
    isList
      ? value.map((item) => pretty(item, inner))
      : Object.entries(value)
          .toSorted(([one], [other]) => rank(one) - rank(other))
          .map(([name, item]) => `${JSON.stringify(name)}: ${pretty(item, inner)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  const all = parts(`${indent}  `);
  if (all.length === 0) return open + close;
  const line = `${open}${space}${all.join(', ')}${space}${close}`;
  if (indent !== '' && line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${all.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

function rank(name: string): number {
  const index = names.indexOf(name);
  return index < 0 ? names.length : index;
}
