import fc from 'fast-check';
import { bodyMutations, malformedBodies, withFields } from './body-mutations';
import { idsOf, SEMANTIC_ERRORS } from './domain-values';
import { HEADERS, MEDIA_TYPES, PARAMETERS, TEXTS, TOKENS } from './hostile-values';
import type { Operation } from './operations';
import { type Bytes, FRAMINGS } from './raw-http';
import type { FuzzRequest } from './requests';
import { invalidValues } from './schema-values';

/** Returns the parts of a request that it changes. */
export type Mutation = (request: FuzzRequest) => Partial<FuzzRequest>;

/** One thing is wrong, or may be. */
export function nearMutations(operation: Operation): fc.Arbitrary<Mutation> {
  const { parameters, body } = operation;
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const values = fc.constantFrom(...names.flatMap((name) => TEXTS.map((text) => `${name}=${text}`)), ...PARAMETERS);
  const ids = idsOf(operation);
  const mixedIds = fc.tuple(
    ...ids.map(({ own, foreign }) => fc.oneof(fc.constantFrom(...own), fc.constantFrom(...foreign))),
  );
  const shapes = body?.oneOf ?? (body ? [body] : []);
  const known = shapes.flatMap(({ properties = {} }) => Object.entries(properties));
  const fields = known.flatMap(([name, schema]) => [
    fc.constantFrom(...invalidValues(schema)).map((value): object => ({ [name]: value })),
    ...(SEMANTIC_ERRORS[name] ? [SEMANTIC_ERRORS[name]] : []),
  ]);
  return weighted(
    [2, values.map((parameter) => ({ query }) => ({ query: [...query, parameter] }))],
    [1, fc.constant(({ query }) => ({ query: [...query, ...query] }))],
    [1, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH').map((method) => () => ({ method }))],
    [1, fc.constantFrom(...MEDIA_TYPES).map((type) => replaceHeader('Content-Type', type))],
    [1, fc.constantFrom('Authorization', 'Content-Type', 'Host').map((name) => replaceHeader(name))],
    [2, fc.constantFrom(...TOKENS).map((key) => replaceHeader(...authorization(key)))],
    [ids.length * 4, mixedIds.map((some) => () => ({ path: pathWith(operation, some) }))],
    ...fields.map((some): Choice => [2, some.map((field) => ({ body = '{}' }) => ({ body: withFields(body, field) }))]),
    [body ? 10 : 0, bodyMutations.map((mutate) => ({ body = '{}' }) => ({ body: mutate(body) }))],
  );
}

/** No client sends this by mistake. */
export function hostileMutations(operation: Operation): fc.Arbitrary<Mutation> {
  const texts = fc.constantFrom(...TEXTS);
  const ids = idsOf(operation).map(() => texts);
  return weighted(
    [4, malformedBodies.map((mutate) => ({ body = '{}' }) => ({ body: mutate(body) }))],
    [ids.length * 3, fc.tuple(...ids).map((some) => () => ({ path: pathWith(operation, some) }))],
    [1, texts.map((text) => ({ path }) => ({ path: path + text }))],
    [1, texts.map((text) => () => ({ query: [text] }))],
    [2, fc.constantFrom(...HEADERS).map((header) => ({ headers }) => ({ headers: [...headers, header] }))],
    [1, fc.constant(({ headers }) => ({ headers: [...headers, ...headers] }))],
    [2, fc.constantFrom(...FRAMINGS).map((framing) => () => ({ framing }))],
    [1, fc.constantFrom(3, 16, 40).map((copies) => () => ({ copies }))],
    [2, fc.nat({ max: 20 }).map((at) => ({ path }) => ({ path: encodeLetter(path, at) }))],
    [1, fc.constant(({ path }) => ({ path: `http://retention.example${path}` }))],
    [1, fc.constant(({ path }) => ({ path: `*${path.slice(1)}` }))],
  );
}

type Choice = [weight: number, fc.Arbitrary<Mutation>];

function weighted(...choices: Choice[]): fc.Arbitrary<Mutation> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

export function authorization(key: string): [string, Bytes] {
  return ['Authorization', `Bearer ${key}`];
}

/** Sets a header, or removes it. */
function replaceHeader(name: string, value?: Bytes): Mutation {
  const set: [string, Bytes][] = value === undefined ? [] : [[name, value]];
  return ({ headers }) => ({ headers: [...headers.filter(([other]) => other !== name), ...set] });
}

/** The path with one letter percent-encoded, which does not change what it names (RFC 3986, 6.2.2.2). */
function encodeLetter(path: Bytes, at: number): Bytes {
  const isLetter = /[a-z]/.test(path[at] ?? '');
  return isLetter ? `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}` : path;
}

/** The path of an operation with these ids. */
export function pathWith({ path }: Operation, ids: Bytes[]): Bytes {
  const left = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => left.shift()!);
}
