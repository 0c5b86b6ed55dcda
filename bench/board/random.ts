/** Chance that is the same in every run: one seed, one sequence. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b;
  }

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to below the given one. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /**
   * A place from 0 to below `count`, the first ones most often: place r comes as often as log((r + flat + 1) / (r + flat)),
   * which is Zipf's law with a flattened head. The greater `flat`, the less the first few stand out.
   */
  rank(count: number, flat = 1): number {
    return Math.min(count - 1, Math.floor(flat * ((count + flat) / flat) ** this.next() - flat));
  }

  /** About normally distributed, mean 0 and variance 1: four uniform numbers are near enough. */
  normal(): number {
    return (this.next() + this.next() + this.next() + this.next() - 2) * Math.sqrt(3);
  }

  /** A whole number of zero or more whose logarithm is about normal: most are near the median, a few far above. */
  skewed(median: number, spread: number): number {
    return Math.round(median * Math.exp(spread * this.normal()));
  }
}
