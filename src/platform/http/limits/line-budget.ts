/** A count of lines that is older than this says nothing of what happens now. */
const FORGOTTEN_MS = 60_000;

/**
 * Bounds how many lines of one kind the log gets each second: the first ones. The next line says how many were left out
 * before it.
 */
export class LineBudget {
  private second = -1;
  private written = 0;
  private leftOut = 0;

  constructor(private readonly perSecond: number) {}

  /**
   * How many lines were left out since the one before, as a field of this line; undefined if this one is left out, too.
   */
  take(now = performance.now()): { left_out?: number } | undefined {
    const second = Math.floor(now / 1000);
    if (now - this.second * 1000 > FORGOTTEN_MS) this.leftOut = 0;
    if (second !== this.second) this.written = 0;
    this.second = second;
    if (this.written === this.perSecond) {
      this.leftOut++;
      return undefined;
    }
    this.written++;
    const left_out = this.leftOut;
    this.leftOut = 0;
    return left_out > 0 ? { left_out } : {};
  }
}
