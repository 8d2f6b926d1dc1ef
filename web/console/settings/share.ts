/** How much of a limit is used, from 0 to 1. A limit of 0 is used up. */
export function share(used: number, limit: number): number {
  return limit > 0 ? Math.min(1, used / limit) : 1;
}
