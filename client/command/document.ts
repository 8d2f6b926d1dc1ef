import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { jsonPointer } from '../../src/platform/api/problems/json-pointer.ts';

/** The file can't be read, or the service refuses what it says. */
export class FileError extends Error {}

type Path = (string | number)[];

/** A file as it was read. */
interface Source {
  name: string;
  /** Files that it names are beside it. */
  folder: string;
  content: unknown;
  lineOf: (path: Path) => string;
}

/** What the files say together. */
export interface ReadDocument {
  document: unknown;
  /** The file with the line of a JSON Pointer, or of what is nearest above it. */
  lineOf: (pointer: string) => string;
  /** The folder of the file that says what is there. */
  folderOf: (pointer: string) => string;
}

/** Reads files of YAML or JSON as one document. A thing has the fields that any of the files gives for its key. */
export async function readDocuments(files: string[]): Promise<ReadDocument> {
  const sources: Source[] = [];
  for (const file of files) sources.push(await read(file));
  const [first, ...others] = sources;
  const merging = new Merging();
  if (others.length === 0 && !isObject(first.content)) return { ...merging.at(first), document: first.content };
  for (const source of sources) {
    if (!isObject(source.content)) throw new FileError(`${source.name}: must be an object`);
    merging.add(source, source.content);
  }
  return { ...merging.at(first), document: merging.document };
}

async function read(file: string): Promise<Source> {
  const name = file === '-' ? 'standard input' : file;
  const source = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new FileError(`${name}: ${error.message}`);
  });
  return sourceOf(source, name, file === '-' ? '.' : dirname(file));
}

/** What a text of YAML or JSON says. */
export const contentIn = (source: string, name: string): unknown => sourceOf(source, name, '.').content;

function sourceOf(source: string, name: string, folder: string): Source {
  const lines = new LineCounter();
  const parsed = parseDocument(source, { lineCounter: lines });
  const [fault] = parsed.errors;
  if (fault) throw new FileError(`${name}: ${fault.message}`);
  const lineOf = (path: Path) => {
    for (const above = [...path]; above.length > 0; above.pop()) {
      const node = parsed.getIn(above, true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return `${name}:${lines.linePos(node.range[0]).line}`;
    }
    return name;
  };
  return { name, folder, content: contentOf(parsed, name), lineOf };
}

/** Aliases are as good as what they stand for, unless a few lines of them stand for a gigabyte. */
function contentOf(parsed: Document, name: string): unknown {
  try {
    // Two places that share an alias are two: what another file says of one is not said of the other.
    return JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 100 }))) as unknown;
  } catch {
    throw new FileError(`${name}: its aliases stand for too much, or for nothing. Write out what they stand for.`);
  }
}

/** Where a place of the merged document is written. */
interface Origin {
  source: Source;
  path: Path;
}

/** Brings files together, and remembers which of them says what. */
class Merging {
  readonly document: Record<string, unknown> = {};
  private readonly origins = new Map<string, Origin>();

  add(source: Source, content: Record<string, unknown>): void {
    for (const [section, value] of Object.entries(content)) {
      const isFirst = Array.isArray(value) && !Object.hasOwn(this.document, section) && section !== '__proto__';
      if (isFirst) this.document[section] = [];
      if (Array.isArray(value) && Array.isArray(this.document[section])) this.addThings(section, value, source);
      else this.addField(this.document, section, value, [section], { source, path: [section] });
    }
  }

  private addThings(section: string, things: unknown[], source: Source): void {
    const list = this.document[section] as unknown[];
    const before = list.map(keyOf);
    this.remember([section], { source, path: [section] });
    for (const [index, thing] of things.entries()) {
      const key = keyOf(thing);
      const found = key === undefined ? -1 : before.indexOf(key);
      const origin = { source, path: [section, index] };
      if (found < 0) {
        this.remember([section, list.length], origin);
        list.push(thing);
      } else {
        const { key: _, ...fields } = thing as Record<string, unknown>;
        this.addFields(list[found] as Record<string, unknown>, fields, [section, found], origin);
      }
    }
  }

  private addFields(to: Record<string, unknown>, fields: object, place: Path, { source, path }: Origin): void {
    for (const [name, value] of Object.entries(fields)) {
      this.addField(to, name, value, [...place, name], { source, path: [...path, name] });
    }
  }

  private addField(to: Record<string, unknown>, name: string, value: unknown, place: Path, origin: Origin): void {
    if (name === '__proto__') throw new FileError(`${origin.source.lineOf(origin.path)}: ${name} is not a known field`);
    const there = to[name];
    if (!Object.hasOwn(to, name)) {
      to[name] = value;
      this.remember(place, origin);
    } else if (isObject(there) && isObject(value)) {
      this.addFields(there, value, place, origin);
    } else {
      const lines = [this.lineOf(place), origin.source.lineOf(origin.path)];
      throw new FileError(`${lines.join(' and ')}: ${jsonPointer(...place)} is given twice`);
    }
  }

  private remember(place: Path, origin: Origin): void {
    const pointer = jsonPointer(...place);
    if (!this.origins.has(pointer)) this.origins.set(pointer, origin);
  }

  private originOf(place: Path): Origin | undefined {
    for (let length = place.length; length > 0; length--) {
      const origin = this.origins.get(jsonPointer(...place.slice(0, length)));
      if (origin) return { ...origin, path: [...origin.path, ...place.slice(length)] };
    }
    return undefined;
  }

  private lineOf(place: Path): string {
    const origin = this.originOf(place)!;
    return origin.source.lineOf(origin.path);
  }

  /** How places are found; what no file says is in the first. */
  at(first: Source): Pick<ReadDocument, 'lineOf' | 'folderOf'> {
    const found = (pointer: string) => this.originOf(partsOf(pointer)) ?? { source: first, path: partsOf(pointer) };
    return {
      lineOf: (pointer) => {
        const { source, path } = found(pointer);
        return source.lineOf(path);
      },
      folderOf: (pointer) => resolve(found(pointer).source.folder),
    };
  }
}

function partsOf(pointer: string): Path {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function keyOf(thing: unknown): unknown {
  return isObject(thing) && typeof thing.key === 'string' ? thing.key : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
