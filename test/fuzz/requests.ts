import fc from 'fast-check';
import { type Bytes, toBytes } from './damage';
import { idsOf, sensible } from './hints';
import type { Operation, Schema } from './operations';
import { authorization, hostileTwists, nearTwists, pathOf, type Twist } from './twists';
import { valuesOf } from './values';
import type { WireRequest } from './wire';

/** A request to an operation; `{{names}}` in it stand for what the world makes of them. */
export interface FuzzRequest extends WireRequest {
  operation: Operation;
}

/** Requests to all operations: a third of them valid, a third nearly so, a third hostile. */
export function requestsTo(operations: Operation[], schemas: Record<string, Schema>): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...operations.map((operation) => {
      const valid = validRequests(operation, schemas);
      const near = nearTwists(operation);
      const hostile = hostileTwists(operation);
      return fc.oneof(valid, twisted(valid, near), twisted(valid, fc.oneof(near, hostile), hostile));
    }),
  );
}

function validRequests(operation: Operation, schemas: Record<string, Schema>): fc.Arbitrary<FuzzRequest> {
  const { method, scheme, parameters } = operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const values = (place: string): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(Object.fromEntries(of(place).map(({ name, schema }) => [name, valuesOf(schema, schemas, name)])), {
      requiredKeys: of(place).flatMap(({ name, required }) => (required ? [name] : [])),
    });
  const ids = fc.tuple(...of('path').map(({ name }) => fc.constantFrom(...idsOf(operation, name).own)));
  const bodies = operation.body ? valuesOf(operation.body, schemas) : fc.constant(undefined);
  return fc
    .record({
      ids,
      query: values('query'),
      headers: values('header'),
      body: bodies as fc.Arbitrary<Record<string, unknown> | undefined>,
    })
    .map(sensible)
    .map(({ ids, query, headers, body }): FuzzRequest => ({
      operation,
      method,
      path: pathOf(operation, ids),
      query: Object.entries(query).map(([name, value]) => `${name}=${encodeValue(value)}`),
      headers: [
        ['Host', 'retention.example'],
        ...(scheme ? [authorization(scheme === 'api_key' ? '{{key}}' : '{{operator_key}}')] : []),
        ...(operation.body ? [['Content-Type', 'application/json'] satisfies [string, string]] : []),
        ...(Object.entries(headers) as [string, Bytes][]),
      ],
      ...(operation.body && { body: toBytes(JSON.stringify(body)) }),
      framing: 'length',
      copies: 1,
    }));
}

/** Requests to which this has happened, one after the other. */
function twisted(requests: fc.Arbitrary<FuzzRequest>, ...twists: fc.Arbitrary<Twist>[]): fc.Arbitrary<FuzzRequest> {
  const [twist, ...more] = twists;
  if (!twist) return requests;
  return twisted(
    fc.tuple(requests, twist).map(([request, change]) => ({ ...request, ...change(request) })),
    ...more,
  );
}

/** A value in a query; names stay what they are. */
function encodeValue(value: unknown): string {
  const text = String(value);
  return text.startsWith('{{') ? text : encodeURIComponent(text);
}
