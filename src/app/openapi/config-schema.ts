import type { OpenAPIObject } from '@nestjs/swagger';
import { isPlainObject } from '../../platform/common/json';

type Schema = Record<string, unknown> & { properties?: Record<string, unknown> };

/**
 * Documents name things by keys, and may show pictures from files beside them, which the command uploads. The other
 * fields of a thing may be in another file.
 */
const OF_DOCUMENTS: Record<string, (properties: Record<string, Schema>) => Schema> = {
  OfferConfig: () => ({
    properties: { offer_key: { type: 'string', description: 'The key of an offer.' } },
    required: ['offer_key'],
  }),
  AudienceCondition: () => ({
    properties: { audience_key: { type: 'string', description: 'The key of an audience.' } },
    required: ['audience_key'],
  }),
  PageImage: (properties) => ({
    properties: {
      file: { type: 'string', description: 'A picture in a file, by its path from this one.' },
      ...properties,
    },
    required: ['alt'],
    oneOf: [{ required: ['url'] }, { required: ['file'] }],
  }),
  ConfigFlow: ({ key, slug, status, name, product_name, cancellation_url, definition, ...others }) => {
    const first = { key, slug, status, name, product_name, cancellation_url };
    return { properties: { ...first, ...others, definition: { ...definition, ...GRAPH } }, required: ['key'] };
  },
  ConfigOffer: ({ key, status, ...others }) => ({ properties: { key, status, ...others }, required: ['key'] }),
  ConfigAudience: ({ key, ...others }) => ({ properties: { key, ...others }, required: ['key'] }),
  ConfigWebhook: ({ key, ...others }) => ({ properties: { key, ...others }, required: ['key'] }),
};
const GRAPH = { type: undefined, additionalProperties: undefined, example: undefined, $ref: '#/$defs/FlowDefinition' };

/** The JSON Schema (2020-12) of the document of a workspace in a file, for editors. */
export function configSchema(document: OpenAPIObject): object {
  const { $schema, ...schema } = schemaOf(document, 'Config');
  return { $schema, title: 'A workspace of the Retention Flow Service', ...schema };
}

/** A schema of the interface as JSON Schema (2020-12), with those that it refers to. Objects have no other fields. */
export function schemaOf({ components }: OpenAPIObject, wanted: string) {
  const schemas = JSON.parse(
    JSON.stringify(components!.schemas).replaceAll('"#/components/schemas/', '"#/$defs/'),
  ) as Record<string, Schema>;
  const definitions: Record<string, Schema> = {};
  const define = (name: string) => {
    if (name in definitions) return;
    const schema = schemas[name];
    const own = OF_DOCUMENTS[name]?.(schema.properties as Record<string, Schema>);
    definitions[name] = { ...schema, ...own, ...(schema.properties && { additionalProperties: false }) };
    refsIn(definitions[name]).forEach(define);
  };
  define(wanted);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: `#/$defs/${wanted}`,
    $defs: definitions,
  };
}

/** The names of the schemas that a schema refers to. */
function refsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(refsIn);
  if (!isPlainObject(schema)) return [];
  const { $ref, example: _, examples: __, discriminator: ___, ...parts } = schema;
  const named = typeof $ref === 'string' ? [$ref.split('/').at(-1)!] : [];
  return [...named, ...Object.values(parts).flatMap(refsIn)];
}
