import fc from 'fast-check';
import { JPEG, png, WEBP } from '../../support/pictures';
import { consistent, idsOf } from './domain-values';
import { authorization, hostileMutations, type Mutation, nearMutations, pathWith } from './mutations';
import type { Operation } from './operations';
import type { Bytes, RawRequest } from './raw-http';
import { validValues } from './schema-values';

const PICTURES = fc.constantFrom(png(1, 1), png(920, 320), JPEG, WEBP);

/** A request to an operation. `{{name}}` in it stands for a value of the fixtures. */
export interface FuzzRequest extends RawRequest {
  operation: Operation;
}

/** Requests to all operations: a third of them valid, a third nearly valid, a third hostile. */
export function requestsTo(operations: Operation[]): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...operations.map((operation) => {
      const valid = validRequests(operation);
      const near = nearMutations(operation);
      const hostile = hostileMutations(operation);
      return fc.oneof(valid, mutated(valid, near), mutated(mutated(valid, fc.oneof(near, hostile)), hostile));
    }),
  );
}

function mutated(requests: fc.Arbitrary<FuzzRequest>, mutations: fc.Arbitrary<Mutation>): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(requests, mutations).map(([request, mutate]) => ({ ...request, ...mutate(request) }));
}

function validRequests(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, scheme } = operation;
  const valuesIn = (place: string): fc.Arbitrary<Record<string, unknown>> => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    return fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, validValues(schema, name)])), {
      requiredKeys: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
    });
  };
  const content = {
    ids: fc.tuple(...idsOf(operation).map(({ own }) => fc.constantFrom(...own))),
    query: valuesIn('query'),
    headers: valuesIn('header'),
    ...(operation.body && { body: validValues(operation.body) as fc.Arbitrary<Record<string, unknown>> }),
    ...(operation.takesFile && { file: PICTURES }),
  };
  return fc
    .record(content)
    .map(consistent)
    .map(({ ids, query, headers, body, file }): FuzzRequest => ({
      operation,
      method,
      path: pathWith(operation, ids),
      query: Object.entries(query)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeValue(String(value))}`),
      headers: [
        ['Host', 'retention.example'],
        ...(scheme ? [authorization(scheme === 'api_key' ? '{{key}}' : '{{operator_key}}')] : []),
        ...(body ? [['Content-Type', 'application/json'] satisfies [string, string]] : []),
        ...(file ? [['Content-Type', 'application/octet-stream'] satisfies [string, string]] : []),
        ...(Object.entries(headers) as [string, Bytes][]),
      ],
      ...(body && { body: Buffer.from(JSON.stringify(body)).toString('latin1') }),
      ...(file && { body: file.toString('latin1') }),
      framing: 'length',
      copies: 1,
    }));
}

function encodeValue(text: string): string {
  return text.startsWith('{{') ? text : encodeURIComponent(text);
}
