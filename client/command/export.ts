import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { RetentionFlow } from '../src/index.ts';
import { isObject } from './document.ts';
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
    await writeFile(ENVIRONMENT_FILE, yaml(more(whole, document)));
  }
  return yaml(document);
}

async function schemaAt(address: string): Promise<Schema | undefined> {
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Schema) : undefined;
}

/** What one document says more than another, with the keys of things. */
function more(whole: unknown, than: unknown): unknown {
  if (Array.isArray(whole) && Array.isArray(than)) {
    const others = new Map(than.map((thing: { key: string }) => [thing.key, thing]));
    return whole.flatMap((thing: { key: string }) => {
      const added = more(thing, others.get(thing.key));
      return added === undefined ? [] : [{ key: thing.key, ...(added as object) }];
    });
  }
  if (!isObject(whole) || !isObject(than)) return than === undefined ? whole : undefined;
  const fields = Object.entries(whole).flatMap(([name, value]) => {
    const added = more(value, than[name]);
    const isNothing = added === undefined || (Array.isArray(added) && added.length === 0 && than[name] !== undefined);
    return isNothing ? [] : [[name, added] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
