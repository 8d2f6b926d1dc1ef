import type { OpenAPIObject } from '@nestjs/swagger';

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  $ref?: string;
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

/** An operation of the OpenAPI document, as far as a request is made of it. */
export interface Operation {
  /** As in `GET /api/v1/public/flows/{id}`. */
  name: string;
  method: string;
  path: string;
  /** Whose key it takes. */
  scheme?: 'api_key' | 'operator_key';
  parameters: Parameter[];
  body?: Schema;
}

interface DocumentedOperation {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every operation of the document. */
export function operationsOf(document: OpenAPIObject): Operation[] {
  const schemas = schemasOf(document);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DocumentedOperation>).map(([verb, operation]) => {
      const { security = [], parameters = [], requestBody } = operation;
      const body = requestBody?.content['application/json'].schema;
      const method = verb.toUpperCase();
      return {
        name: `${method} ${path}`,
        method,
        path,
        scheme: security.flatMap((one) => Object.keys(one))[0] as Operation['scheme'],
        parameters,
        body: body && deref(body, schemas),
      };
    }),
  );
}

export function schemasOf(document: OpenAPIObject): Record<string, Schema> {
  return document.components!.schemas as Record<string, Schema>;
}

/** The schema itself, not a reference to it. */
export function deref(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema;
}
