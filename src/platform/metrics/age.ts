/**
 * How old the oldest of something is that a job looks for. It grows between two looks, and while a look doesn't
 * succeed: what can't be read may be overdue since then.
 */
export class Age {
  /** By `performance.now()`. */
  private oldest = Infinity;
  private lookingSince = Infinity;

  /** Looks for the oldest. @param secondsOf the ages of what was found; of nothing none */
  async look<Found>(look: () => Promise<Found>, secondsOf: (found: Found) => number[]): Promise<Found> {
    this.lookingSince = Math.min(this.lookingSince, performance.now());
    const found = await look();
    this.lookingSince = Infinity;
    this.oldest = performance.now() - 1000 * Math.max(-Infinity, ...secondsOf(found));
    return found;
  }

  get seconds(): number {
    return Math.max(0, performance.now() - Math.min(this.oldest, this.lookingSince)) / 1000;
  }
}
