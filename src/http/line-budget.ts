/** Bounds how many lines of one kind the log gets each second: the first ones. The next line after says how many were left out. */
export class LineBudget {
  private second = -1;
  private written = 0;
  private leftOut = 0;

  constructor(private readonly perSecond: number) {}

  /** How many lines were left out since the one before, as a field of this line; undefined if this one is left out, too. */
  take(now = performance.now()): { left_out?: number } | undefined {
    const second = Math.floor(now / 1000);
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
