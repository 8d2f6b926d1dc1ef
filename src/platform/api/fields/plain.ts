/** Plain data instead of instances of DTOs, to compare with what is stored. */
export function plain<T>(request: T): T {
  return JSON.parse(JSON.stringify(request)) as T;
}
