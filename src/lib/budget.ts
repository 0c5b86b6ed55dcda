/** An amount that may be spent at once, and that comes back by the second (a token bucket). */
export class Budget {
  private left: number;
  private counted: number;

  /**
   * @param most what may be spent at once
   * @param perSecond what comes back in a second
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly most: number,
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.left = most;
    this.counted = now();
  }

  /** @returns false when so much is not left; it stays spent all the same */
  spend(amount: number): boolean {
    const at = this.now();
    this.left = Math.min(this.most, this.left + ((at - this.counted) / 1e3) * this.perSecond);
    this.counted = at;
    this.left -= amount;
    return this.left >= 0;
  }
}
