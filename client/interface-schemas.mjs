// @ts-check
import { readFile } from 'node:fs/promises';

/** What an assistant is told of a field. The rest would take its room. */
const LEFT_OUT = ['example', 'examples', 'discriminator', 'default'];

/**
 * Puts schemas of the service's OpenAPI document, and those that they refer to, into a bundle as `interface-schemas`.
 *
 * @param {string[]} names
 * @returns {import('esbuild').Plugin}
 */
export function interfaceSchemas(names) {
  return {
    name: 'interface-schemas',
    setup(build) {
      build.onResolve({ filter: /^interface-schemas$/ }, ({ path }) => ({ path, namespace: 'interface' }));
      build.onLoad({ filter: /.*/, namespace: 'interface' }, async () => {
        const { components } = JSON.parse(await readFile('../docs/openapi.json', 'utf8'));
        const all = JSON.parse(JSON.stringify(components.schemas).replaceAll('"#/components/schemas/', '"#/$defs/'));
        return { contents: JSON.stringify(closureOf(names, all)), loader: 'json' };
      });
    },
  };
}

/**
 * Puts the bodies of events in the OpenAPI document into a bundle, by type, as `samples-of-events`.
 *
 * @returns {import('esbuild').Plugin}
 */
export function sampleEvents() {
  return {
    name: 'sample-events',
    setup(build) {
      build.onResolve({ filter: /^samples-of-events$/ }, ({ path }) => ({ path, namespace: 'events' }));
      build.onLoad({ filter: /.*/, namespace: 'events' }, async () => {
        const { webhooks } = JSON.parse(await readFile('../docs/openapi.json', 'utf8'));
        const samples = Object.entries(webhooks).map(([type, { post }]) => [
          type,
          post.requestBody.content['application/json'].example,
        ]);
        return { contents: JSON.stringify(Object.fromEntries(samples)), loader: 'json' };
      });
    },
  };
}

/**
 * @param {string[]} names
 * @param {Record<string, unknown>} all
 */
function closureOf(names, all) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const left = [...names]; left.length > 0;) {
    const name = /** @type {string} */ (left.pop());
    if (name in found) continue;
    found[name] = without(all[name], LEFT_OUT);
    for (const [, other] of JSON.stringify(found[name]).matchAll(/"#\/\$defs\/(\w+)"/g)) left.push(other);
  }
  return found;
}

/**
 * A schema without what some readers don't need.
 *
 * @template T
 * @param {T} schema
 * @param {string[]} names of what is left out
 * @returns {T}
 */
export function without(schema, names) {
  if (Array.isArray(schema)) return /** @type {T} */ (schema.map((part) => without(part, names)));
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).filter(([name, part]) => !(names.includes(name) && !isField(part)));
  return /** @type {T} */ (Object.fromEntries(parts.map(([name, part]) => [name, without(part, names)])));
}

/**
 * A field may have such a name, too.
 *
 * @param {unknown} part
 */
function isField(part) {
  return typeof part === 'object' && part !== null && 'description' in part && 'type' in part;
}
