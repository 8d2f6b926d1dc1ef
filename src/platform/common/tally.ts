/** Counts for each owner, and for all of them together. */
export class Tally {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  of(owner: string): number {
    return this.counts.get(owner) ?? 0;
  }

  add(owner: string, count: number): void {
    this.sum += count;
    const own = this.of(owner) + count;
    if (own > 0) this.counts.set(owner, own);
    else this.counts.delete(owner);
  }
}
