import { Problem } from '../common/problem';
import { parseJsonBody } from './json-body';

function pointerOf(body: string | Buffer): string | undefined {
  try {
    parseJsonBody(Buffer.from(body));
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).body('').errors![0].pointer;
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('A JSON body', () => {
  it('may be empty', () => {
    expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
  });

  it('is taken as it was sent', () => {
    expect(parseJsonBody(Buffer.from('{"a":["é","😀",1.5,true,null]}'))).toEqual({ a: ['é', '😀', 1.5, true, null] });
  });

  it.each([
    ['broken JSON', '{', ''],
    ['a NUL character', '{"a":{"b":"\\u0000"}}', '/a/b'],
    ['an unpaired surrogate', '{"a":["x","\\ud800"]}', '/a/1'],
    ['NUL in a key', '{"a":{"\\u0000":1}}', '/a'],
    ['a number out of range', '{"a/b":{"c~d":1e400}}', '/a~1b/c~0d'],
    ['a key that names a prototype', '{"a":{"__proto__":{}}}', '/a'],
  ])('is refused for %s, with a pointer to it', (_, body, pointer) => {
    expect(pointerOf(body)).toBe(pointer);
  });

  it('is refused for bytes that are no UTF-8', () => {
    expect(pointerOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('');
  });

  it('may be 32 levels deep and no more, however deep', () => {
    expect(pointerOf(nested(32))).toBeUndefined();
    expect(pointerOf(nested(33))).toBe('/0'.repeat(32));
    expect(pointerOf(nested(5000))).toBe('/0'.repeat(32));
  });
});
