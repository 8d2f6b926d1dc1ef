import { statement, valuesOf } from './statement';

const LIST = statement('SELECT 1::int FROM t WHERE a = :a AND b > :b::uuid AND (a, :a) <> (:b, c) LIMIT :take');

describe('A statement', () => {
  it('numbers its named values, each once, and leaves casts alone', () => {
    expect(LIST.text).toBe('SELECT 1::int FROM t WHERE a = $1 AND b > $2::uuid AND (a, $1) <> ($2, c) LIMIT $3');
  });

  it('takes its values by their names, null among them', () => {
    expect(valuesOf(LIST, { take: 3, b: null, a: 'one', other: 0 })).toEqual(['one', null, 3]);
  });

  it('is refused without one of them', () => {
    expect(() => valuesOf(LIST, { a: 1, b: 2 })).toThrow('There is no :take for: SELECT 1');
  });
});
