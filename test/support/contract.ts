import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** The OpenAPI document. `test/drift` checks that it is the document of the code. */
export const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;

type Schema = Record<string, unknown>;
interface Header {
  required?: boolean;
  schema: Schema;
}
interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

/** What is sent to a webhook. */
interface Sent {
  parameters: { name: string; schema: Schema }[];
  requestBody: { content: Record<string, { schema: Schema }> };
}

/**
 * Checks answers against the OpenAPI document: their status must be named there, their headers and body fit and hold
 * nothing more.
 */
class Contract {
  /** `npm run check` validates the document itself. */
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  private readonly validators = new Map<string, ValidateFunction>();
  /** The headers that the document knows. */
  private readonly headers: Record<string, Header>;
  private readonly operations: { method: string; path: RegExp; name: string; responses: Record<string, Response> }[];

  private readonly webhooks: Record<string, { post: Sent }>;

  constructor() {
    this.webhooks = (DOCUMENT as unknown as { webhooks: Record<string, { post: Sent }> }).webhooks;
    addFormats(this.ajv);
    this.ajv.addFormat('email', /.@./u);
    const schemas = structuredClone(DOCUMENT.components!.schemas!) as Record<string, Schema>;
    for (const schema of Object.values(schemas)) if (schema.properties) schema.additionalProperties ??= false;
    this.headers = DOCUMENT.components!.headers as unknown as Record<string, Header>;
    const shared = DOCUMENT.components!.responses as Record<string, Response>;
    this.ajv.addSchema({ $id: 'openapi', components: { schemas } });
    this.operations = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method,
        name: `${method.toUpperCase()} ${path}`,
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        responses: Object.fromEntries(
          Object.entries((operation as { responses: Record<string, Response | { $ref: string }> }).responses).map(
            ([status, response]) => [status, '$ref' in response ? shared[response.$ref.split('/').at(-1)!] : response],
          ),
        ),
      })),
    );
  }

  /**
   * Throws when the answer isn't one that the document promises. What the router doesn't know must be a problem.
   * Answers the name of the operation, as in `GET /api/v1/public/flows/{id}`, if it is one.
   */
  check(method: string, path: string, status: number, headers: Headers, body: unknown): string | undefined {
    const operation = this.operations.find(
      (one) => one.method === method.toLowerCase() && one.path.test(path.split('?')[0]),
    );
    const name = `${operation?.name ?? `${method} ${path}`} → ${status}`;
    const response: Response | undefined = operation ? operation.responses[status] : { content: problem };
    if (!response) throw new Error(`${name} is not in the OpenAPI document`);
    for (const [header, { required, schema }] of operation ? Object.entries(this.headers) : []) {
      const isDocumented = header in (response.headers ?? {});
      const value = headers.get(header);
      if (value !== null && !isDocumented) throw new Error(`${name}: ${header} is not in the OpenAPI document`);
      if (value === null && isDocumented && required) throw new Error(`${name}: ${header} is missing`);
      const parsed = schema.type === 'integer' ? Number(value) : value;
      if (value !== null && !this.validator(header, schema)(parsed)) throw new Error(`${name}: ${header}: ${value}`);
    }
    if (!response.content && status === 304) return operation?.name;
    const mediaType = headers.get('content-type')!.split(';')[0];
    const schema = response.content?.[mediaType]?.schema;
    if (!schema) throw new Error(`${name} has no ${mediaType} in the OpenAPI document`);
    const validate = this.validator(`${name} ${mediaType}`, schema);
    if (!validate(body)) throw new Error(`${name}: ${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
    return operation?.name;
  }

  /** Throws when a request to a webhook isn't one that the document promises. */
  checkSent(headers: IncomingHttpHeaders, body: { type: string }): void {
    const { requestBody, parameters } = this.webhooks[body.type].post;
    for (const { name, schema } of parameters) {
      if (!this.validator(name, schema)(headers[name])) throw new Error(`${name}: ${String(headers[name])}`);
    }
    const validate = this.validator(body.type, requestBody.content['application/json'].schema);
    if (!validate(body)) throw new Error(`${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
  }

  private validator(name: string, schema: Schema): ValidateFunction {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
    const validate = this.validators.get(name) ?? this.ajv.compile(absolute);
    this.validators.set(name, validate);
    return validate;
  }
}

const problem: Response['content'] = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};

/** One for all tests of a file: what it compiles of the document is compiled once. */
export const contract = new Contract();
