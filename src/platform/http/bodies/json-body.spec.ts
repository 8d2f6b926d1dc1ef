import { Problem } from '../../api/problems/problem';
import { parseJsonBody } from './json-body';

function pointerOf(body: string | Buffer): string | undefined {
  try {
    parseJsonBody(Buffer.from(body));
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).fields[0].pointer;
  }
}

const keys = (count: number) => Array.from({ length: count }, (_, n) => `"${n}":0`).join();
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('A JSON body', () => {
  it('may be empty', () => {
    expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
  });

  it('is parsed as it was sent', () => {
    expect(parseJsonBody(Buffer.from('{"a":["é","😀",1.5,true,null]}'))).toEqual({ a: ['é', '😀', 1.5, true, null] });
  });

  it.each([
    ['broken JSON', '{', ''],
    ['a NUL character', '{"a":{"b":"\\u0000"}}', '/a/b'],
    ['an unpaired surrogate', '{"a":["x","\\ud800"]}', '/a/1'],
    ['NUL in a key', '{"a":{"\\u0000":1}}', '/a'],
    ['a number out of range', '{"a/b":{"c~d":1e400}}', '/a~1b/c~0d'],
    ['a reserved key', '{"a":{"__proto__":{}}}', '/a'],
    ['a key given twice', '{"x":{},"a":[{"b":"\\"b\\":","b":2}]}', '/a/0/b'],
    ['a key given twice, once with a number out of range', '{"a":-1e400,"a":1}', '/a'],
    ['a key given twice, once in escapes', '{"a":1,"\\u0061":1}', '/a'],
    ['a number that would be rounded', '{"a":[0.1,9007199254740993]}', '/a/1'],
    ['a negative number that would be rounded', '{"a":[{"b":1},-9007199254740993]}', '/a/1'],
    ['a key given twice behind white space', '{"a" : {}, "b":[[],{"c":[1,2]}] ,\n"b"\t: 1}', '/b'],
    ['more than 5,000 values', `[${'0,'.repeat(5000)}0]`, ''],
    ['more than 100 fields in an object', `{"a":{${keys(101)}}}`, '/a'],
    ['a key of more than 200 characters', `{"${'k'.repeat(201)}":1}`, ''],
  ])('with %s is refused, with a pointer to it', (_, body, pointer) => {
    expect(pointerOf(body)).toBe(pointer);
  });

  it.each(['0.1', '-0', '1.10', '1e2', '1.5E+3', '1e300', '12e-9', '100000000000000000000', '0.10000000000000000'])(
    'may contain a number that a double does not round, in any notation: %s',
    (number) => {
      expect(pointerOf(`{"a":${number}}`)).toBeUndefined();
    },
  );

  it('may contain text that looks like a number or a key', () => {
    const text = '{"e\\\\":"1e400\\"","a":"9007199254740993","b":"\\"a\\":1, \\"a\\":1e-400","c":["x:y,[{"]}';
    expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('may have 100 fields in each object and 5,000 values', () => {
    expect(pointerOf(`{"a":{${keys(100)}}}`)).toBeUndefined();
    expect(pointerOf(`[${'0,'.repeat(4997)}0]`)).toBeUndefined();
  });

  it('is refused if it is not UTF-8', () => {
    expect(pointerOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('');
  });

  it('may be at most 32 levels deep', () => {
    expect(pointerOf(nested(32))).toBeUndefined();
    expect(pointerOf(nested(33))).toBe('/0'.repeat(32));
    expect(pointerOf(nested(4000))).toBe('/0'.repeat(32));
  });
});
