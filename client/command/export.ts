import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { RetentionFlow } from '../src/index.ts';
import { FileError, isObject } from './document.ts';
import { inOrderOf, type Schema } from './order.ts';

export const ENVIRONMENT_FILE = 'environment.yaml';

/** The document of a workspace as YAML. With `environment`, a file beside has what is of one environment. */
export async function exported(rf: RetentionFlow, baseUrl: string, environment: boolean): Promise<string> {
  const address = `${baseUrl.replace(/\/$/, '')}/config.schema.json`;
  const [document, schema] = [await rf.config.get(), await schemaAt(address)];
  const yaml = (content: unknown) => {
    const ordered = schema ? inOrderOf(schema, content) : content;
    // Quoted as programs need it that know YAML 1.1 only: for them, no is false.
    const text = stringify(ordered, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
    return `# yaml-language-server: $schema=${address}\n${text}`;
  };
  if (environment) {
    const whole = await rf.config.get({ environment: true });
    await writeFile(ENVIRONMENT_FILE, yaml(leftOut(whole as Thing, document as Thing)), { flag: 'wx' }).catch(refused);
  }
  return yaml(document);
}

/** Without it, the fields have the order of the database. */
async function schemaAt(address: string): Promise<Schema | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as Schema) : undefined;
  } catch {
    return undefined;
  }
}

/** It may have been edited by hand: secrets of webhooks are nowhere else. */
function refused(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EEXIST') throw new FileError(`${ENVIRONMENT_FILE}: ${error.message}`);
  throw new FileError(`${ENVIRONMENT_FILE} is there already: move it away first.`);
}

type Thing = Record<string, unknown>;

/** What a whole document says that the shared one leaves out: settings, webhooks, and fields of flows, by their keys. */
function leftOut(whole: Thing, shared: Thing): Thing {
  const sections = Object.entries(whole).flatMap(([section, value]): [string, unknown][] => {
    const others = shared[section];
    if (others === undefined) return [[section, value]];
    const added = Array.isArray(value)
      ? ofThings(value as Thing[], others as Thing[])
      : missingIn(others as Thing, value as Thing);
    return added === undefined || (Array.isArray(added) && added.length === 0) ? [] : [[section, added]];
  });
  return Object.fromEntries(sections);
}

function ofThings(things: Thing[], shared: Thing[]): Thing[] {
  const others = new Map(shared.map((thing) => [thing.key, thing]));
  return things.flatMap((thing) => {
    const other = others.get(thing.key);
    const added = other && missingIn(other, thing);
    return added ? [{ key: thing.key, ...added }] : [];
  });
}

/** Fields that one object has and another does not, in objects within them, too, but not in lists. */
function missingIn(shared: Thing, whole: Thing): Thing | undefined {
  const fields = Object.entries(whole).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(shared, name)) return [[name, value]];
    const other = shared[name];
    const added = isObject(value) && isObject(other) ? missingIn(other, value) : undefined;
    return added ? [[name, added]] : [];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
