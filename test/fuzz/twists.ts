import fc from 'fast-check';
import { type Bytes, grossDamage, slightDamage, withFields } from './damage';
import { idsOf, SLIPS } from './hints';
import { HEADERS, JUNK, QUERIES, TOKENS, TYPES } from './junk';
import type { Operation } from './operations';
import type { FuzzRequest } from './requests';
import { slipsOf } from './values';
import { FRAMINGS } from './wire';

/** What becomes of a request. */
export type Twist = (request: FuzzRequest) => Partial<FuzzRequest>;

/** One thing is wrong, or may well be. */
export function nearTwists(operation: Operation): fc.Arbitrary<Twist> {
  const { parameters } = operation;
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const ids = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => idsOf(operation, name));
  const otherIds = fc.tuple(...ids.map(({ own, others }) => fc.constantFrom(...own, ...others, ...others, ...others)));
  const junk = fc.constantFrom(...names.flatMap((name) => JUNK.map((junk) => `${name}=${junk}`)), ...QUERIES);
  const slips = Object.entries(operation.body?.properties ?? {}).flatMap(([name, schema]) => [
    fc.constantFrom(...slipsOf(schema)).map((value): object => ({ [name]: value })),
    ...(SLIPS[name] ? [SLIPS[name]] : []),
  ]);
  return oneOf(
    [2, junk.map((parameter) => ({ query }) => ({ query: [...query, parameter] }))],
    [1, fc.constant(({ query }) => ({ query: [...query, ...query] }))],
    [1, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH').map((method) => () => ({ method }))],
    [1, fc.constantFrom(...TYPES).map((type) => replaceHeader('Content-Type', type))],
    [1, fc.constantFrom('Authorization', 'Content-Type', 'Host').map((name) => replaceHeader(name))],
    [2, fc.constantFrom(...TOKENS).map((key) => replaceHeader(...authorization(key)))],
    [ids.length * 4, otherIds.map((some) => () => ({ path: pathOf(operation, some) }))],
    ...slips.map((slip): Choice => [
      2,
      slip.map((fields) => ({ body = '{}' }) => ({ body: withFields(body, fields) })),
    ]),
    [operation.body ? 10 : 0, slightDamage.map((damage) => ({ body = '{}' }) => ({ body: damage(body) }))],
  );
}

/** What nobody sends by mistake. */
export function hostileTwists(operation: Operation): fc.Arbitrary<Twist> {
  const ids = operation.parameters.filter((parameter) => parameter.in === 'path').map(() => fc.constantFrom(...JUNK));
  const junk = fc.constantFrom(...JUNK);
  return oneOf(
    [4, grossDamage.map((damage) => ({ body = '{}' }) => ({ body: damage(body) }))],
    [ids.length * 3, fc.tuple(...ids).map((junk) => () => ({ path: pathOf(operation, junk) }))],
    [1, junk.map((junk) => ({ path }) => ({ path: path + junk }))],
    [1, junk.map((junk) => () => ({ query: [junk] }))],
    [2, fc.constantFrom(...HEADERS).map((header) => ({ headers }) => ({ headers: [...headers, header] }))],
    [1, fc.constant(({ headers }) => ({ headers: [...headers, ...headers] }))],
    [2, fc.constantFrom(...FRAMINGS).map((framing) => () => ({ framing }))],
    [1, fc.constantFrom(3, 16, 40).map((copies) => () => ({ copies }))],
    [2, fc.nat({ max: 20 }).map((at) => ({ path }) => ({ path: encodeLetter(path, at) }))],
    [1, fc.constant(({ path }) => ({ path: `http://retention.example${path}` }))],
    [1, fc.constant(({ path }) => ({ path: `*${path.slice(1)}` }))],
  );
}

type Choice = [weight: number, fc.Arbitrary<Twist>];

function oneOf(...choices: Choice[]): fc.Arbitrary<Twist> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

export function authorization(key: string): [string, Bytes] {
  return ['Authorization', `Bearer ${key}`];
}

/** Sets a header, or takes it away. */
function replaceHeader(name: string, value?: Bytes): Twist {
  const set: [string, Bytes][] = value === undefined ? [] : [[name, value]];
  return ({ headers }) => ({ headers: [...headers.filter(([other]) => other !== name), ...set] });
}

/** The path with one of its letters percent-encoded, which changes nothing about what it names (RFC 3986, 6.2.2.2). */
function encodeLetter(path: Bytes, at: number): Bytes {
  const isLetter = /[a-z]/.test(path[at] ?? '');
  return isLetter ? `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}` : path;
}

/** The path of an operation with these ids. */
export function pathOf({ path }: Operation, ids: Bytes[]): Bytes {
  const left = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => left.shift()!);
}
