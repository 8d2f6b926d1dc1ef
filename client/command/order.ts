import { isObject } from './document.ts';

/** As much as is read of a JSON Schema (2020-12). */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

/** A document with its fields in the order in which its schema has them. Postgres and programs have others. */
export function inOrderOf(root: Schema, document: unknown): unknown {
  const ordered = (value: unknown, schema: Schema | undefined): unknown => {
    const forms = schema ? formsOf(root, schema) : [];
    if (Array.isArray(value)) {
      const items = forms.find((form) => form.items)?.items;
      return value.map((item) => ordered(item, items));
    }
    if (!isObject(value)) return value;
    const properties = bestOf(forms, value);
    const known = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
    const names = [...new Set([...known, ...Object.keys(value)])];
    const others = forms.find((form) => isObject(form.additionalProperties))?.additionalProperties as
      Schema | undefined;
    return Object.fromEntries(names.map((name) => [name, ordered(value[name], properties[name] ?? others)]));
  };
  return ordered(document, root);
}

/** The schemas that a value may have. */
function formsOf(root: Schema, schema: Schema): Schema[] {
  const named = schema.$ref && root.$defs?.[schema.$ref.split('/').at(-1)!];
  const parts = [...(named ? [named] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => formsOf(root, part))];
}

/** The fields of the form that fits: of several types of nodes, the one of this type. */
function bestOf(forms: Schema[], value: Record<string, unknown>): Record<string, Schema> {
  const fits = ({ properties = {} }: Schema) =>
    Object.keys(value).filter((name) => properties[name] && takes(properties[name], value[name])).length;
  const [best] = forms.toSorted((one, other) => fits(other) - fits(one));
  return best?.properties ?? {};
}

function takes({ enum: values }: Schema, value: unknown): boolean {
  return !values || values.includes(value);
}
