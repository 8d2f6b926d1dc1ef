import { jsonPointer } from '../platform/api/problems/json-pointer';
import type { FieldError } from '../platform/api/problems/problem';
import { isPlainObject } from '../platform/common/json';

type MapPart = (part: Record<string, unknown>, path: (string | number)[]) => Record<string, unknown>;

/**
 * Replaces the names of offers and audiences in a graph. Anything that is no graph stays as it is. Flows without a
 * service do so, too, so this file imports no framework.
 */
export function mapNames(definition: object, { offer, audience }: { offer?: MapPart; audience?: MapPart }): object {
  const { nodes } = definition as { nodes?: unknown };
  if (!Array.isArray(nodes)) return definition;
  const mapped = nodes.map((node: unknown, index) => {
    if (!isPlainObject(node) || !isPlainObject(node.config)) return node;
    const path = ['nodes', index, 'config'];
    if (node.type === 'offer' && offer) return { ...node, config: offer(node.config, path) };
    const { ways } = node.config;
    if (node.type !== 'branch' || !audience || !Array.isArray(ways)) return node;
    const mappedWays = ways.map((way: unknown, at) =>
      isPlainObject(way) ? { ...way, when: mapConditions(way.when, audience, [...path, 'ways', at, 'when']) } : way,
    );
    return { ...node, config: { ...node.config, ways: mappedWays } };
  });
  return { ...definition, nodes: mapped };
}

/** Groups are in groups once at most: what is deeper is not looked at, and refused later. */
function mapConditions(when: unknown, map: MapPart, path: (string | number)[], depth = 0): unknown {
  if (!isPlainObject(when)) return when;
  if ('audience' in when || 'audience_key' in when) return map(when, path);
  const group = ['all', 'any'].find((name) => Array.isArray(when[name]));
  if (group === undefined || depth > 1) return when;
  const members = (when[group] as unknown[]).map((one, index) =>
    mapConditions(one, map, [...path, group, index], depth + 1),
  );
  return { ...when, [group]: members };
}

/** The graph of a flow with keys in place of the ids of offers and audiences. */
export function withKeys(definition: object, keyOf: (id: string) => string): object {
  return mapNames(definition, {
    offer: ({ offer_id, ...config }) => ({ ...config, offer_key: keyOf(offer_id as string) }),
    audience: ({ audience, ...condition }) => ({ ...condition, audience_key: keyOf(audience as string) }),
  });
}

/** A pointer into a flow as one into its entry, which has keys in place of ids. */
export function inDocument(pointer: string): string {
  return pointer
    .replace(/^\/offer_ids(?=\/|$)/, '/offer_keys')
    .replace(/^(\/definition\/nodes\/\d+\/config)\/offer_id$/, '$1/offer_key')
    .replace(/^(\/definition\/nodes\/\d+\/config\/ways\/.*)\/audience$/, '$1/audience_key');
}

/** The entries of a section that have the key, or slug, of one before. */
export function repeatsIn<Field extends string>(
  entries: { [Name in Field]?: string }[],
  section: string,
  field: Field,
): FieldError[] {
  const seen = new Set<string>();
  return entries.flatMap(({ [field]: value }, index) => {
    const isRepeated = value !== undefined && seen.has(value);
    if (value !== undefined) seen.add(value);
    return isRepeated ? [{ pointer: jsonPointer(section, index, field), message: 'is given twice' }] : [];
  });
}
