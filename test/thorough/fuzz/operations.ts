import type { OpenAPIObject } from '@nestjs/swagger';

/** JSON Schema, as far as the document uses it, without references. */
export interface Schema {
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  example?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** An operation of the OpenAPI document, as far as requests need it. */
export interface Operation {
  /** As in `GET /api/v1/public/flows/{id}`. */
  name: string;
  method: string;
  path: string;
  /** Whose key it takes. */
  scheme?: 'api_key' | 'operator_key';
  parameters: Parameter[];
  body?: Schema;
  /** Whether the body is a picture. */
  takesFile: boolean;
}

interface DocumentedOperation {
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Partial<Record<string, { schema: Schema }>> };
}

/** The JSON that an operation takes; a file is none. */
const jsonOf = (body: DocumentedOperation['requestBody']) => body?.content['application/json'];

/** Every operation of the document that programs call. The rest is for people in browsers: test/workspaces/people. */
export function operationsOf({ paths, components }: OpenAPIObject): Operation[] {
  const schemas = components!.schemas as Record<string, unknown>;
  const dereferenced = (schema: unknown): Schema =>
    JSON.parse(JSON.stringify(schema), (_, part: { $ref?: string } | null) =>
      part?.$ref ? dereferenced(schemas[part.$ref.split('/').at(-1)!]) : part,
    ) as Schema;
  const isForPrograms = ({ tags, security = [] }: DocumentedOperation) =>
    !tags.includes('Sign-in') && !('session' in (security[0] ?? {}));
  const operations = Object.entries(paths).flatMap(([path, item]) => {
    return Object.entries(item as Record<string, DocumentedOperation>).flatMap(([verb, operation]) => {
      if (!isForPrograms(operation)) return [];
      const { security = [], parameters = [], requestBody } = operation;
      const method = verb.toUpperCase();
      return {
        name: `${method} ${path}`,
        method,
        path,
        scheme: security.flatMap((one) => Object.keys(one))[0] as Operation['scheme'],
        parameters: parameters.map((one) => ({ ...one, schema: dereferenced(one.schema) })),
        takesFile: requestBody !== undefined && !jsonOf(requestBody),
        body: jsonOf(requestBody) && dereferenced(jsonOf(requestBody)!.schema),
      };
    });
  });
  // The requests of a seed don't depend on the order of the document.
  return operations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
