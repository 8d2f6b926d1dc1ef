import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LineCounter, parseDocument } from 'yaml';

/** The file can't be read, or the service refuses what it says. */
export class FileError extends Error {}

export interface ReadDocument {
  document: unknown;
  /** The file with the line of a JSON Pointer, or of what is nearest above it. */
  lineOf: (pointer: string) => string;
}

/** A file of YAML, and so of JSON. */
export async function readDocument(file: string): Promise<ReadDocument> {
  const name = file === '-' ? 'standard input' : file;
  const source = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new FileError(`${name}: ${error.message}`);
  });
  const lines = new LineCounter();
  const parsed = parseDocument(source, { lineCounter: lines });
  const [fault] = parsed.errors;
  if (fault) throw new FileError(`${name}: ${fault.message}`);
  const lineOf = (pointer: string) => {
    const path = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    for (; path.length > 0; path.pop()) {
      const node = parsed.getIn(path, true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return `${name}:${lines.linePos(node.range[0]).line}`;
    }
    return name;
  };
  return { document: parsed.toJS(), lineOf };
}
