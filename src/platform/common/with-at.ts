/** A value with another one at a path in it; undefined removes it. The console uses this file, too. */
export function withAt<T>(value: T, [first, ...rest]: readonly (string | number)[], other: unknown): T {
  const inner = rest.length === 0 ? other : withAt((value as Record<string, unknown>)[first], rest, other);
  if (Array.isArray(value)) return value.with(Number(first), inner) as T;
  const { [first]: _, ...others } = value as Record<string, unknown>;
  return (inner === undefined ? others : { ...value, [first]: inner }) as T;
}
