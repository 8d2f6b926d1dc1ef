// @ts-check

/**
 * The service's own schema of a definition, out of its OpenAPI document, for the editor of flows.
 *
 * @typedef {Record<string, any>} Json
 */

/** What a value of the right shape may break by its length or its letters, and what no validator reads. */
const LEFT_OUT =
  /^(pattern|format|propertyNames|minLength|maxLength|minItems|maxItems|maxProperties|minimum|maximum|description|example)$/;

/** The names of all properties, in one order that each schema follows. */
export function namesOf(/** @type {Json} */ document) {
  const lists = Object.values(shapeOf(document).$defs).map(({ properties = {} }) => Object.keys(properties));
  const names = [...new Set(lists.flat())];
  /** @type {string[]} */
  const ordered = [];
  const place = (/** @type {string} */ name) => {
    if (ordered.includes(name)) return;
    for (const list of lists) for (const before of list.slice(0, Math.max(0, list.indexOf(name)))) place(before);
    ordered.push(name);
  };
  names.forEach(place);
  return ordered;
}

/**
 * What the service asks of the shape of a definition. What is too long is told when it is saved: until then it can be edited.
 *
 * @returns {Json}
 */
export function shapeOf(/** @type {Json} */ document) {
  /** @type {Json} */
  const $defs = {};
  /** @returns {any} */
  const copy = (/** @type {any} */ value) => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.$ref === 'string') return { $ref: refer(value.$ref.split('/').at(-1)) };
    const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.test(name));
    return Object.fromEntries(kept.map(([name, inner]) => [name, COPIES[name]?.(inner) ?? copy(inner)]));
  };
  /** @type {Record<string, (inner: Json) => Json>} */
  const COPIES = {
    // A property may be called like a keyword.
    properties: (inner) => Object.fromEntries(Object.entries(inner).map(([name, schema]) => [name, copy(schema)])),
    // Its mapping says the same as the schemas do.
    discriminator: ({ propertyName }) => ({ propertyName }),
  };
  const refer = (/** @type {string} */ name) => {
    if (!(name in $defs)) {
      $defs[name] = {};
      Object.assign($defs[name], copy(document.components.schemas[name]));
    }
    return `#/$defs/${name}`;
  };
  return { ...copy({ $ref: 'FlowDefinition' }), $defs };
}
