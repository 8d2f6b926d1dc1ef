/** A list with one item at another place. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
}

/** The place that a row is dragged to: how many of the other rows have their middle above it. */
export function placeAt(y: number, middles: number[], from: number): number {
  return middles.filter((middle, index) => index !== from && middle < y).length;
}
