/** A token bucket. */
export class Budget {
  private left: number;
  private counted: number;

  /** @param most its capacity @param perSecond tokens added per second */
  constructor(
    private readonly most: number,
    private readonly perSecond: number,
  ) {
    this.left = most;
    this.counted = performance.now();
  }

  /** @returns false if there are too few tokens; they are spent nevertheless */
  spend(amount: number): boolean {
    const at = performance.now();
    this.left = Math.min(this.most, this.left + ((at - this.counted) / 1e3) * this.perSecond);
    this.counted = at;
    this.left -= amount;
    return this.left >= 0;
  }

  /** Spends tokens, and @returns the milliseconds until those that were too few are there */
  owe(amount: number): number {
    return this.spend(amount) ? 0 : (-this.left / this.perSecond) * 1e3;
  }
}
